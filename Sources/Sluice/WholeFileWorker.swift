internal import ForeignCodec
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
    // Kept from file to file: no allocation, and no hop to a queue that frees.
    private var content = GatherBuffer()
    private var result = GatherBuffer()
    /// What the last file became, in bytes.
    public private(set) var resultSize = 0
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
            decompress = try DecompressTransform(windowLimit: windowLimit)
        default:
            return nil
        }
        self.lane = lane
        self.monitor = monitor
    }

    /// Reads and transforms one file, and keeps the result.
    ///
    /// - Returns: nil if the file is more than one chunk, which takes a `Job`. Nothing is written yet.
    /// - Throws: as `Job.run` does.
    public mutating func transform(_ source: Source) throws(Failure) -> Summary? {
        guard let size = source.size, size <= Self.sizeLimit, size <= chunkLimit else { return nil }
        let start = Span.now()
        guard let count = try read(source, atMost: Int(size)) else { return nil }
        monitor?.record(Span(stage: .read, lane: lane, bytes: count, start: start, end: Span.now()))
        guard let size = try transform(count) else { return nil }
        resultSize = size
        var summary = Summary()
        summary.bytesIn = UInt64(count)
        summary.contentSize = UInt64(compress != nil ? count : size)
        return summary
    }

    private var chunkLimit: UInt64 {
        if case .compress(let options) = kind { UInt64(options.frameSize) } else { Self.sizeLimit }
    }

    /// Reads to the end of the file, and returns how much; nil, with the file where it stood, if it is larger than it was.
    private mutating func read(_ source: Source, atMost size: Int) throws(Failure) -> Int? {
        // One byte more shows whether the file grew; without it, what was read ends where the file does.
        let memory = try content.room(for: size + 1)
        var count = 0
        while count < size {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...size])
            let part = try Failure.reading { Glibc.read(source.descriptor.rawValue, rest.baseAddress, rest.count) }
            if part == 0 { break }
            count += part
        }
        if count > size {
            lseek(source.descriptor.rawValue, off_t(-count), SEEK_CUR)
            return nil
        }
        guard count == size else { throw .sourceShrank(expected: UInt64(size), read: UInt64(count)) }
        return count
    }

    /// Transforms what was read, and returns how much it became; nil if that may be too much to be held at once.
    private mutating func transform(_ count: Int) throws(Failure) -> Int? {
        let source = UnsafeRawBufferPointer(rebasing: try content.room(for: count)[..<count])
        var bound = CompressionOptions.bound(count)
        if case .decompress(let windowLimit) = kind {
            guard let size = try Self.decompressedBound(source, windowLimit: windowLimit) else { return nil }
            bound = size
        }
        let target = try result.room(for: bound)
        let start = Span.now()
        monitor?.workerDidBegin()
        defer { monitor?.workerDidEnd() }
        let size =
            if compress != nil { try compress?.apply(source, into: target) ?? 0 } else {
                try decompress?.apply(source, into: target) ?? 0
            }
        let end = Span.now()
        monitor?.record(Span(stage: .work, lane: lane, bytes: size, source: count, start: start, end: end))
        monitor?.record(Span(stage: .order, bytes: size, source: count, start: end, end: end))
        return size
    }

    /// What all the frames decompress to at most; nil if that is too much to be held at once, has to come in parts, or is
    /// not only frames.
    private static func decompressedBound(
        _ frames: UnsafeRawBufferPointer, windowLimit: UInt64
    ) throws(Failure) -> Int? {
        var scanner = FrameScanner(windowLimit: windowLimit)
        var audit = SeekTableAudit()
        var (bound, isNarrow) = (UInt64(0), false)
        try codec { () throws(CodecFailure) in
            var rest = frames
            while !rest.isEmpty {
                if scanner.current == nil, ForeignFormat(magic: rest.prefix(ForeignFormat.magicSize)) != nil {
                    bound = .max
                    return
                }
                let (scanned, ended) = try scanner.scan(rest)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(scanned))
                guard let ended else { continue }
                try audit.note(ended)
                if !ended.isSkippable { bound += ended.decompressedBound }
                isNarrow = isNarrow || ended.hasNarrowWindow
            }
            try scanner.finish()
            try audit.finish(at: scanner.offset)
        }
        return bound <= 8 * sizeLimit && !isNarrow ? Int(bound) : nil
    }

    /// Writes what the last file became.
    ///
    /// - Throws: as `Job.run` does.
    public mutating func write(to sink: Sink) throws(Failure) {
        let start = Span.now()
        var rest = UnsafeRawBufferPointer(rebasing: try result.room(for: resultSize)[..<resultSize])
        while !rest.isEmpty {
            let part = try Failure.writing { Glibc.write(sink.descriptor.rawValue, rest.baseAddress, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part))
        }
        monitor?.record(Span(stage: .write, lane: lane, bytes: resultSize, start: start, end: Span.now()))
    }
}
