internal import Glibc
internal import SystemPackage
internal import ZstdCodec

/// Compresses or decompresses small files, one after another, each in one go on the calling thread.
///
/// A file of one chunk has nothing that a pipeline could overlap, and building one costs more than the work. Its frame
/// has the same bytes as a `Job` would give it.
public struct WholeFileWorker: ~Copyable {
    /// Larger files are left to a `Job`, in bytes.
    public static let sizeLimit: UInt64 = 4 << 20

    private enum Kind {
        case compress(CompressionOptions)
        case decompress(windowLimit: UInt64)
    }

    private let kind: Kind
    private var compress: CompressTransform?
    private var decompress: DecompressTransform?
    private let slots = Slots(1)
    private let lane: Int
    private let monitor: Monitor?

    /// - Parameters:
    ///   - action: nil is returned for actions that only a `Job` does.
    ///   - lane: the number of the thread, for the monitor.
    public init?(_ action: Job.Action, lane: Int, monitor: Monitor?) throws(Failure) {
        switch action {
        case .compress(let options, nil):
            kind = .compress(options)
            compress = try CompressTransform(options)
            decompress = nil
        case .decompress(let windowLimit, false):
            kind = .decompress(windowLimit: windowLimit)
            compress = nil
            decompress = try DecompressTransform()
        default:
            return nil
        }
        self.lane = lane
        self.monitor = monitor
    }

    /// Does one file.
    ///
    /// - Parameter sink: nil to decompress, verify and write nothing.
    /// - Returns: nil, with nothing written, if the file is more than one chunk, which takes a `Job`.
    /// - Throws: as `Job.run` does.
    public mutating func run(from source: Source, to sink: Sink?) throws(Failure) -> Summary? {
        guard let size = source.size, size <= Self.sizeLimit, size <= chunkLimit else { return nil }
        let start = Span.now()
        let content = try read(source, atMost: Int(size))
        guard let content else { return nil }
        let count = content.count
        monitor?.record(Span(stage: .read, bytes: count, start: start, end: Span.now()))
        guard let frame = try transform(content) else { return nil }
        if let sink { try write(frame.bytes, to: sink) }
        var summary = Summary()
        summary.bytesIn = UInt64(count)
        summary.bytesOut = sink == nil ? 0 : UInt64(frame.bytes.count)
        if case .compress = kind {
            summary.contentSize = UInt64(count)
        } else {
            summary.contentSize = UInt64(frame.bytes.count)
        }
        return summary
    }

    private var chunkLimit: UInt64 {
        if case .compress(let options) = kind { UInt64(options.frameSize) } else { Self.sizeLimit }
    }

    /// Reads to the end of the file; nil, with the file where it stood, if it is larger than it was.
    private func read(_ source: Source, atMost size: Int) throws(Failure) -> Bytes? {
        // One byte more shows whether the file grew.
        let buffer = try OutputBuffer(capacity: size + 1)
        var count = 0
        while count <= size {
            let part = Glibc.read(
                source.descriptor.rawValue, buffer.memory.baseAddress.map { $0 + count }, size + 1 - count)
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw .reading(Errno(rawValue: errno)) }
            if part == 0 { break }
            count += part
        }
        if count > size {
            lseek(source.descriptor.rawValue, off_t(-count), SEEK_CUR)
            return nil
        }
        guard count == size else { throw .sourceShrank(expected: UInt64(size), read: UInt64(count)) }
        return buffer.finish(count: count)
    }

    private mutating func transform(_ content: consuming Bytes) throws(Failure) -> Frame? {
        let bound: Int
        switch kind {
        case .compress: bound = CompressionOptions.bound(content.count)
        case .decompress(let windowLimit):
            guard let size = try decompressedBound(content, windowLimit: windowLimit) else { return nil }
            bound = size
        }
        let start = Span.now()
        let count = content.count
        monitor?.workerDidBegin()
        defer { monitor?.workerDidEnd() }
        let frame =
            if compress != nil { try compress?.apply(content, bound: bound, offset: 0, slots: slots) } else {
                try decompress?.apply(content, bound: bound, offset: 0, slots: slots)
            }
        let end = Span.now()
        monitor?.record(
            Span(stage: .work, lane: lane, bytes: frame?.bytes.count ?? 0, source: count, start: start, end: end))
        monitor?.record(
            Span(stage: .order, bytes: frame?.bytes.count ?? 0, source: count, start: end, end: end))
        return frame
    }

    /// What all the frames decompress to at most; nil if that is too much to be held at once.
    private func decompressedBound(_ content: borrowing Bytes, windowLimit: UInt64) throws(Failure) -> Int? {
        var scanner = FrameScanner(windowLimit: windowLimit)
        var audit = SeekTableAudit()
        var bound: UInt64 = 0
        try content.forEachRegion { region throws(Failure) in
            var rest = region
            while !rest.isEmpty {
                let (scanned, ended) = try codec { () throws(CodecFailure) in try scanner.scan(rest) }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(scanned))
                guard let ended else { continue }
                try codec { () throws(CodecFailure) in try audit.note(ended) }
                if !ended.isSkippable { bound += ended.decompressedBound }
            }
        }
        try codec { () throws(CodecFailure) in
            try scanner.finish()
            try audit.finish(at: scanner.offset)
        }
        return bound <= 8 * Self.sizeLimit ? Int(bound) : nil
    }

    private func write(_ bytes: borrowing Bytes, to sink: Sink) throws(Failure) {
        let start = Span.now()
        try bytes.forEachRegion { region throws(Failure) in
            var rest = region
            while !rest.isEmpty {
                let count = Glibc.write(sink.descriptor.rawValue, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw .writing(Errno(rawValue: errno)) }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
        monitor?.record(Span(stage: .write, bytes: bytes.count, start: start, end: Span.now()))
    }
}
