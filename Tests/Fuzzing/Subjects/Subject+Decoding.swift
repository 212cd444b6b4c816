internal import ForeignCodec
internal import Sluice
internal import SluiceEngine
internal import SystemPackage
internal import ZstdCodec

extension Subject {
    /// What is decoded is what libzstd makes of it, in every way; what is refused, libzstd refuses, or it is cut.
    package static let decoding = Subject("decoding") { input in
        var bytes = input
        let ways = Decoding.all
        let way = ways[Int(bytes.takeNumber(UInt8.self)) % ways.count]
        let truth = Truth(of: bytes)
        if truth == .tooMuch { return }
        try way.check(Array(bytes), truth)
    }

    /// The same, with something that frames may refer to.
    package static let dictionary = Subject("dictionary") { input in
        var bytes = input
        let dictionary = bytes.take(Int(bytes.takeNumber(UInt16.self)))
        guard let digest = try? DecompressionDictionary(dictionary.span.bytes) else { return }
        let truth = Truth(of: bytes, dictionary: dictionary)
        if truth == .tooMuch { return }
        let way = Decoding(job: Job(Decompression(dictionary: digest), threads: 2), isPipe: false)
        try way.check(Array(bytes), truth, dictionary)
    }
}

/// A way in which a whole input is decoded.
private struct Decoding {
    static let all = [
        Decoding(job: nil, isPipe: false), Decoding(job: Job(Decompression(), threads: 1), isPipe: false),
        Decoding(job: Job(Decompression(), threads: 3), isPipe: false),
        Decoding(job: Job(Decompression(), threads: 2), isPipe: true),
    ]

    /// Nil for that of small files.
    let job: Job?
    let isPipe: Bool

    func check(_ bytes: [UInt8], _ truth: Truth, _ dictionary: [UInt8]? = nil) throws {
        let sink = try MemoryFile()
        var failure: Failure?
        let file = try MemoryFile(isPipe ? [] : bytes)
        let pipe = isPipe ? try Self.pipe(bytes) : nil
        defer { try? pipe?.close() }
        do throws(Failure) { try decode(pipe ?? file.descriptor, sink.descriptor) } catch { failure = error }
        let output = try sink.content
        switch (truth, failure) {
        case (.content(let content), nil):
            try promise(output == content, "the content is another: \(output.count) bytes, and not \(content.count)")
        case (.content(let content), let failure?):
            try promise(Self.isOurs(failure), "refused, with \(content.count) bytes: \(failure)")
            try promise(content.starts(with: output), "what was written before a failure is wrong")
        case (.refused(let why, let place), nil):
            // What is in another format may follow.
            if ForeignFormat(magic: bytes[place...].prefix(ForeignFormat.magicSize)) != nil { return }
            // A window that does no harm.
            if output.count > Subject.mostContent { return }
            let whole = Truth.inOneGo(bytes, dictionary: dictionary)
            try promise(whole == output, "accepted, with \(output.count) bytes: \(why) at \(place)")
        default: break
        }
    }

    private func decode(_ input: FileDescriptor, _ output: FileDescriptor) throws(Failure) {
        let (source, sink) = (try Source(input), try Sink(output))
        if let job {
            _ = try job.run(from: source, to: sink)
            return
        }
        if var worker = try WholeFileWorker(Decompression(), lane: 0, monitor: nil), try worker.transform(source) != nil
        {
            return try worker.write(to: sink)
        }
        // What is more than one chunk is read once more.
        _ = try? input.seek(offset: 0, from: .start)
        _ = try Job(Decompression(), threads: 2).run(from: Source(input), to: sink)
    }

    /// A pipe that holds these bytes, and has ended.
    private static func pipe(_ bytes: [UInt8]) throws -> FileDescriptor {
        let (reading, writing) = try FileDescriptor.pipe()
        // It holds 64 KiB at least.
        try writing.closeAfter { _ = try writing.writeAll(bytes.prefix(64 << 10)) }
        return reading
    }

    /// What is refused here, and not by libzstd, or only by its decoder of whole frames: a stream without the table
    /// that it announces, or with one that is wrong, formats of old, nothing at all, and a block that can't be.
    private static func isOurs(_ failure: Failure) -> Bool {
        switch failure.codecFailure {
        case .missingSeekTable, .damagedSeekTable, .legacyFormat, .empty: true
        case .corrupt(let reason, _):
            ["seek table", "stream header", "block of no bytes"].contains(where: reason.contains)
        default: false
        }
    }
}
