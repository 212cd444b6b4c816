internal import Glibc
internal import Synchronization

/// A compressed file to which frames are added: a new file gets its frames, copied within the kernel if possible, then
/// those of several runs, and a seek table of all.
package final class AppendedFile: Sendable {
    /// The existing file; nil for none.
    package let source: Source?
    /// Keeps it open, and so locked.
    private let file: OpenFile?
    /// The frames that it has.
    private let existing: SeekTable
    private let envelope: Mutex<StreamEnvelope>

    /// Locks the file (`flock`) for as long as the value lives, and reads its headers.
    ///
    /// - Parameters:
    ///   - descriptor: is closed with the value; nil if there is no file yet.
    ///   - name: its name in messages.
    ///   - options: for the frames that are added.
    /// - Throws: `isBeingMade` if another process adds to it; `reading`; `codec` if it is truncated, or not compressed;
    ///   `unlisted`, `severalStreams`; `parity` if it has some.
    package init(
        _ descriptor: FileDescriptor?, named name: FilePath, addingWith options: CompressionOptions
    ) throws(Failure) {
        file = descriptor.map { OpenFile($0) }
        if let descriptor {
            // Where there are no locks, the second process notices the first one's change before it names its file.
            do throws(Errno) { _ = try descriptor.lock() } catch { throw .isBeingMade(name) }
            let source = try Source(descriptor)
            (self.source, existing) = (source, try SeekTable(ofFramesIn: source))
            if try CheckedParity.isIn(source, existing, Decompression(windowLimit: .max).ownLimits) {
                throw Failure(.parity, "has parity, which would not protect what is added")
            }
        } else {
            (source, existing) = (nil, SeekTable(hasChecksums: true))
        }
        envelope = Mutex(StreamEnvelope(options, after: existing))
    }

    /// Copies the existing frames to the new file.
    ///
    /// - Parameter latch: ends it, from elsewhere.
    /// - Throws: `sourceChanged`, `reading`, `writing`, `cancelled`.
    package func begin(on sink: Sink, latch: FailureLatch) throws(Failure) {
        guard let source else { return }
        let descriptor = try source.requireDescriptor()
        var (copy, size) = (FileCopy(to: try sink.requireDescriptor()), existing.compressedSize)
        while copy.written < size {
            try latch.check()
            let count = min(JoinWriter.copySize, size - copy.written)
            if try copy.append(from: descriptor, at: copy.written, most: count) == 0 { throw .sourceChanged }
        }
        try source.checkUnchanged()
    }

    /// The operation of a run that adds frames.
    package func adding(_ compression: Compression) -> any CompressingOperation {
        Appending(compression: compression, file: self)
    }

    /// Ends the new file.
    ///
    /// - Throws: `writing`.
    package func finish(on sink: Sink) throws(Failure) {
        var copy = FileCopy(to: try sink.requireDescriptor())
        try copy.append(envelope.withLock { $0.trailer() }[...])
    }

    /// Whether the new file may take the name that a file has now: it must still be the existing one.
    package func mayReplace(_ current: FileIdentity?) -> Bool {
        guard let source else { return current == nil }
        return current?.isUnchanged(since: source.identity) ?? false
    }
}

/// What surrounds the frames of several runs: only `finish` ends it.
extension AppendedFile: Envelope {
    package func append(_ frame: ChunkResult) throws(Failure) -> [UInt8] {
        try envelope.withLock { envelope throws(Failure) in try envelope.append(frame) }
    }

    var memory: Int { envelope.withLock { $0.memory } }
    package func trailer() -> [UInt8] { [] }
}

/// Compresses frames that are added to a file.
private struct Appending: CompressingOperation {
    var compression: Compression
    let file: AppendedFile

    func memory(of size: RunSize) -> Int { compression.memory(of: size) + file.memory }
    func begin(from source: inout Source, to sink: Sink?) -> (any Envelope)? { file }
    func run(on engine: Engine) throws(Failure) { try compression.run(on: engine) }
}

extension SeekTable {
    /// The frames of a file to which more are added, with skippable ones, but without the seek table at its end. They
    /// are found by their headers, as for a `Listing`, and not decoded.
    ///
    /// - Throws: `reading`; `codec` if the file is truncated, or not compressed; `unlisted`, `severalStreams`.
    init(ofFramesIn source: Source) throws(Failure) {
        if source.size == nil {
            self.init(hasChecksums: true)
            return
        }
        let input = CompressedInput(source)
        try input.refuseForeign()
        if try Listing(bySeekTableOf: source, samples: .max) != nil, let (table, _) = try input.seekTable() {
            self = table
        } else {
            try self.init(byHeadersOf: source)
        }
    }

    private init(byHeadersOf source: Source) throws(Failure) {
        var (entries, haveChecksums, table) = ([Entry](), true, UInt64?.none)
        var (walk, audit) = (try FrameWalk(over: source), StreamEndCheck())
        while let frame = try walk.nextWhole() {
            if let table {
                throw .severalStreams("the seek table at byte \(table) ends the first of them", offset: table)
            }
            try codec(audit.note(frame))
            switch frame.annotation {
            case .seekTable:
                table = frame.offset
                continue
            // The header follows the first frame of a stream.
            case .streamHeader where entries.count != 1:
                let header = frame.offset
                throw .severalStreams("the header at byte \(header) is of a later one", offset: header)
            default: break
            }
            guard let entry = Entry(frame) else { throw .unlisted(offset: frame.offset) }
            haveChecksums = haveChecksums && frame.header?.hasChecksum != false
            entries.append(entry)
        }
        let end = walk.end
        try codec(audit.finish(at: end))
        // The new frames would follow the zeros.
        if let size = source.size, end < size { throw .codec(.trailingZeros(offset: end)) }
        self.init(hasChecksums: haveChecksums)
        for entry in entries { append(entry) }
    }
}
