import SluiceEngine

extension FileRun {
    /// Decompresses one stream after another, until a signal comes, or the end of the stream that was asked for.
    func follow(
        _ file: FollowedFile, _ input: borrowing Input, _ output: borrowing Output
    ) throws(Complaint) -> Summary {
        let last = Locked<FollowedFile.Event?>(nil)
        let tell = { @Sendable [console, settings, name = input.name] (event: FollowedFile.Event) in
            if settings.reporting.quietness > 0 || settings.decoding.following == .stream && event.isEnd { return }
            console.notice("\(name.printable): \(event.sentence)")
            if event == .missing(.permissionDenied), settings.reasonWithoutSandbox == nil {
                console.notice("hint: the sandbox knows only the directories of the start; --no-sandbox reads others")
            }
        }
        // What ends the input is told of after its content.
        file.onEvent { event in if case .missing = event { tell(event) } else { last.withLock { $0 = event } } }
        var total = Summary()
        var start = settings.firstFollowed
        repeat {
            let operation = Following(file, from: start, settings.decompression)
            // Only the first run begins at the last bytes or lines.
            start = .beginning
            do throws(Complaint) { total += try transfer(input, output, by: operation) } catch {
                guard let failure = error.failure, file.hasEnded(with: failure) else { throw error }
            }
            guard let event = last.withLock({ $0.take() }) else { continue }
            tell(event)
            guard settings.decoding.following == .stream else { continue }
            if event == .ended { break }
            if case .truncated = event { throw Complaint(input.name, "was truncated before the end of its stream") }
        } while !context.isOver
        return total
    }
}

extension Settings {
    /// Where the content begins that is written of a file that is followed.
    fileprivate var firstFollowed: Following.Start {
        if let count = decoding.tailLines { return .lastLines(count, end: lineEnd) }
        if case .beforeEnd(let count)? = decoding.ranges.first?.start { return .lastBytes(count) }
        return .beginning
    }
}

extension FollowedFile.Event {
    /// Whether the stream can't go on.
    fileprivate var isEnd: Bool {
        switch self {
        case .ended, .truncated: true
        case .missing, .appeared, .replaced: false
        }
    }

    fileprivate var sentence: String {
        func cut(_ isCut: Bool) -> String { isCut ? " within a frame, whose rest is lost" : "" }
        return switch self {
        case .ended: "the stream has ended; waiting for another one under the name"
        case .missing(.notSupported): "is not a file; waiting for one"
        case .missing(let error): "can't open: \(error.sentence); waiting for it"
        case .appeared: "has appeared; following it"
        case .replaced(let isCut): "has been replaced\(cut(isCut)); following the new file"
        case .truncated(let isCut): "was truncated\(cut(isCut)); following it from its start"
        }
    }
}
