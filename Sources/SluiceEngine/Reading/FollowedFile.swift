internal import Dispatch
internal import Synchronization
internal import ZstdCodec

/// A file that is still being written, and whatever takes its place: the input of one run after another. Each ends
/// where a stream does, and where what follows is another file.
package final class FollowedFile: Sendable {
    /// What a reader of the content may want to know.
    package enum Event: Equatable, Sendable {
        /// The seek table at the end of the stream has come, and nothing follows it yet.
        case ended
        /// No file can be opened under the name; it is waited for.
        case missing(Errno)
        /// The first file has come.
        case appeared
        /// Another file has the name.
        ///
        /// - isCut: whether the last one ends within a frame.
        case replaced(isCut: Bool)
        /// The file begins anew.
        case truncated(isCut: Bool)
    }

    private struct State {
        /// What is known of the frames of the input.
        var frames = FollowedFrames(from: 0)
        /// Whether the input has ended, until the next one begins.
        var hasEnded = false
        /// Why no file could be opened, if that was reported.
        var missing: Errno?
        /// How often to look once more for the end of a file that was replaced; nil if it was not.
        var patience: Int?
        /// When to give up in any case a file that was replaced.
        var patienceEnd: DispatchTime?
        /// Whether the input has to end although the file may have more.
        var isOver = false
        /// Ends the search for the place to begin.
        var search: FailureLatch?
    }

    /// A file that was replaced may not be complete yet: its writer may still close it.
    private static let patience = 10
    /// For how long a file that was replaced is read if its writer goes on.
    private static let longestPatience = DispatchTimeInterval.seconds(20)
    /// The largest read, in bytes.
    private static let largestRead = 1 << 20
    /// How often to look where nothing tells of changes.
    private static let interval = DispatchTimeInterval.seconds(1)

    private let name: FollowedName
    private let makeWatch: @Sendable () throws(Failure) -> any Watch
    private let listener = Mutex<@Sendable (Event) -> Void> { _ in }
    private let state = Mutex(State())

    /// - Parameter makeWatch: makes what each run waits with.
    /// - Throws: `reading`.
    package init(
        _ name: FollowedName, watchedBy makeWatch: @escaping @Sendable () throws(Failure) -> any Watch
    ) throws(Failure) {
        (self.name, self.makeWatch) = (name, makeWatch)
        // A file that is there needs no announcement.
        if case .replaced = try name.news() { name.restart() }
    }

    /// The state of the file when it was opened; nil before there is one.
    package var identity: FileIdentity? { name.identity }
    /// The file, for a look at what is there; nil before there is one.
    package var file: FileDescriptor? { name.file }

    /// Calls `tell` on the thread that reads.
    package func onEvent(_ tell: @escaping @Sendable (Event) -> Void) { listener.withLock { $0 = tell } }

    /// The input of the next run, which begins where the last one has ended.
    package func input() -> Source {
        state.withLock { $0.isOver = false }
        begin(at: name.position)
        return Source(FollowedInput(self))
    }

    /// Lets the input begin at another place of the file.
    func begin(at offset: UInt64) {
        if offset != name.position { name.begin(at: offset) }
        state.withLock { $0 = State(frames: FollowedFrames(from: offset), isOver: $0.isOver) }
    }

    /// Looks for the place to begin, until the input has to end.
    ///
    /// - Returns: nil if it has to end.
    func search<Place>(
        _ latch: FailureLatch, _ body: (FailureLatch) throws(Failure) -> Place
    ) throws(Failure) -> Place? {
        do throws(Failure) {
            return try latch.withChild { child throws(Failure) in
                let isOver = state.withLock { state in
                    state.search = child
                    return state.isOver
                }
                defer { state.withLock { $0.search = nil } }
                if isOver { throw .cancelled }
                return try body(child)
            }
        } catch {
            try latch.check()
            guard state.withLock({ $0.isOver }) else { throw error }
            return nil
        }
    }

    /// Ends the input where it is.
    fileprivate func end() {
        let search = state.withLock { state in
            state.isOver = true
            return state.search
        }
        search?.fail(.cancelled)
    }

    /// What a run waits with.
    ///
    /// - Throws: `reading` if no descriptors are left.
    fileprivate func makeRunWatch() throws(Failure) -> any Watch {
        let watch = try makeWatch()
        if let file { watch.watch(file) }
        return watch
    }

    /// Where in the file the next bytes lie.
    var position: UInt64 { name.position }

    /// Whether the run has failed only because its input ended where it did.
    package func hasEnded(with failure: Failure) -> Bool {
        let end = state.withLock { state in
            state.hasEnded || state.isOver ? state.frames.endFailure.map(Failure.codec) : nil
        }
        guard let end else { return false }
        // The decoder of a frame finds its cut elsewhere than whoever counts its bytes.
        return failure == end || failure.code == .truncated && end.code == .truncated
    }

    fileprivate func read(
        _ count: Int, until deadline: DispatchTime?, by input: FollowedInput
    ) throws(Failure) -> Bytes? {
        // Changes are watched before the file is read, so that none is missed.
        guard let watch = try input.watch() else { return Bytes() }
        var isRepeated = false
        while !input.isOver {
            if state.withLock({ $0.hasEnded }) { return nil }
            if let bytes = try name.read(min(count, Self.largestRead)) { return try note(bytes) }
            switch try look() {
            case .again where !isRepeated:
                isRepeated = true
                continue
            case .ended: return nil
            // The size of some files is larger than what can be read.
            case .again, .waits: isRepeated = false
            }
            let isTold = try watch.wait(until: min(deadline ?? .distantFuture, .now() + Self.interval))
            let nextHasBytes = name.nextHasBytes
            state.withLock { state in
                // While the other file is empty, a writer that was not told yet goes on in this one.
                guard nextHasBytes, let patience = state.patience else { return }
                // A second without news, and not only the reader's moment.
                state.patience = isTold || deadline != nil ? patience - 1 : 0
            }
            if let deadline, deadline <= .now() { return Bytes() }
        }
        return Bytes()
    }

    /// Follows the frames in bytes that are given away.
    ///
    /// - Throws: `unsupportedFormat` if they are not Zstandard.
    private func note(_ bytes: Bytes) throws(Failure) -> Bytes {
        let failure = state.withLock { state -> Failure? in
            state.frames.note(bytes)
            // Its writer goes on.
            if state.patience != nil { state.patience = Self.patience }
            return state.frames.foreignFailure
        }
        if let failure { throw failure }
        return bytes
    }

    private enum Step { case again, waits, ended }

    /// What to do where the file has no more bytes.
    private func look() throws(Failure) -> Step {
        let news = try name.news()
        let (hasEnded, isCut) = state.withLock { ($0.frames.areComplete, $0.frames.areCut) }
        switch news {
        case .replaced, .replacedAgain: break
        default: state.withLock { ($0.patience, $0.patienceEnd) = (nil, nil) }
        }
        switch news {
        case .grown: return .again
        case .truncated: return restart(.truncated(isCut: isCut))
        // The end of a stream is told of before what comes after it.
        case _ where hasEnded: return end(.ended)
        case .none:
            state.withLock { $0.missing = nil }
            return .waits
        case .missing(let error):
            let isNew = state.withLock { state in
                defer { state.missing = error }
                return state.missing != error
            }
            if isNew { tell(.missing(error)) }
            return .waits
        case .replaced:
            let patience = state.withLock { state in
                // Nothing can come of a stream that has ended, or of no file.
                let hasLeft = name.file == nil || state.frames.isEmpty && name.position > 0
                let patience = state.patience ?? (hasLeft ? 0 : Self.patience)
                let end = state.patienceEnd ?? .now() + Self.longestPatience
                (state.patience, state.patienceEnd) = (patience, end)
                return end <= .now() && name.nextHasBytes ? 0 : patience
            }
            if patience > 0 { return .waits }
            return restart(name.file == nil ? .appeared : .replaced(isCut: isCut))
        // Nobody would find the file between the two any more.
        case .replacedAgain: return restart(name.file == nil ? .appeared : .replaced(isCut: isCut))
        }
    }

    private func restart(_ event: Event) -> Step {
        name.restart()
        return end(event)
    }

    /// Ends the input of the run.
    private func end(_ event: Event) -> Step {
        state.withLock { $0.hasEnded = true }
        tell(event)
        return .ended
    }

    private func tell(_ event: Event) { listener.withLock { $0 }(event) }
}

/// The input of one run: `read` waits for more where the file ends, also within a frame.
private final class FollowedInput: ByteSource {
    private let file: FollowedFile
    /// Made by the first read: not every input is read.
    private let made = Mutex<(any Watch)?>(nil)
    private let hasToEnd = Atomic(false)

    init(_ file: FollowedFile) { self.file = file }

    var isOver: Bool { hasToEnd.load(ordering: .acquiring) }

    /// - Returns: nil once the input has to end.
    /// - Throws: `reading` if no descriptors are left.
    func watch() throws(Failure) -> (any Watch)? {
        try made.withLock { made throws(Failure) in
            if isOver { return nil }
            if let made { return made }
            let watch = try file.makeRunWatch()
            made = watch
            return watch
        }
    }

    func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        try file.read(count, until: deadline, by: self)
    }

    func endWaiting() {
        hasToEnd.store(true, ordering: .releasing)
        file.end()
        made.withLock { $0 }?.cancel()
    }
}

/// The frames of a stream that is followed, as far as they have come.
private struct FollowedFrames {
    private var scanner: FrameScanner
    private var audit: StreamEndCheck
    private let start: UInt64
    private var lastIsTable = false
    /// What is wrong with the frames: the run finds it, too.
    private var flaw: CodecFailure?
    /// The first bytes, if they are in another format.
    private var foreignMagic: [UInt8]?

    init(from offset: UInt64) {
        (start, scanner) = (offset, FrameScanner(offset: offset))
        audit = StreamEndCheck(mayBeginWithin: offset > 0)
    }

    var isEmpty: Bool { scanner.offset == start && flaw == nil }
    /// Whether they end within a frame.
    var areCut: Bool { flaw == nil && scanner.current != nil }
    /// Whether the seek table at the end of a stream came last.
    var areComplete: Bool { flaw == nil && scanner.current == nil && lastIsTable }

    /// Why they are not a whole stream, for no other reason than that they end; nil if they are.
    var endFailure: CodecFailure? {
        if flaw != nil { return nil }
        do throws(CodecFailure) {
            try scanner.finish()
            try audit.finish(at: scanner.offset)
            return nil
        } catch { return error }
    }

    /// Why the input can't be followed; nil if it can.
    var foreignFailure: Failure? {
        foreignMagic.map { magic in
            if magic.allSatisfy({ $0 == 0 }) {
                return Failure(
                    .unsupportedFormat, "begins with zeros: its writer went on behind them after it was truncated")
            }
            let format = ForeignFormat(magic: magic).map { "in \($0.rawValue) format" } ?? "in another format"
            return Failure(.unsupportedFormat, "is \(format): only Zstandard can be followed")
        }
    }

    mutating func note(_ bytes: Bytes) {
        bytes.forEachRegion { region in
            var rest = region
            while !rest.isEmpty, flaw == nil {
                do throws(CodecFailure) {
                    let (count, ended) = try scanner.scan(rest)
                    rest = rest.extracting(droppingFirst: count)
                    guard let ended else { continue }
                    lastIsTable = ended.isSeekTable
                    try audit.note(ended)
                } catch {
                    flaw = error
                    if error == .notZstandard {
                        foreignMagic = Array(bytes.elements.prefix(ForeignFormat.magicSize))
                    }
                }
            }
        }
    }
}
