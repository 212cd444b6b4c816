internal import ByteStreams
internal import ZstdCodec

/// Decodes a frame of a file again, by libzstd alone, after a doubt: from its start, without what has left already.
struct FrameReplay: ~Copyable {
    private static let pieceSize = 1 << 20

    private let source: Source
    /// Where the frame begins in the file, and what comes next of it.
    private let start: UInt64
    private var next: UInt64
    private var decompressor: Decompressor
    private let input: OutputBuffer
    private var rest = 0..<0
    private var hasMore = false
    /// Takes what has left already.
    private let dropped: OutputBuffer
    private var missing: UInt64
    private var checksum: ContentChecksum
    private let expected: UInt32

    /// - Parameters:
    ///   - start: where the frame begins in the file.
    ///   - count: bytes of its content that have left.
    ///   - expected: the checksum of these.
    init(_ source: Source, from start: UInt64, behind count: UInt64, checksum expected: UInt32) throws(Failure) {
        // All that may throw comes first: nothing has to be taken apart again.
        let decompressor = try codec { () throws(CodecFailure) in
            var decompressor = try Decompressor()
            try decompressor.begin()
            return decompressor
        }
        let checksum = try codec { () throws(CodecFailure) in try ContentChecksum() }
        let input = try OutputBuffer(capacity: Self.pieceSize)
        let dropped = try OutputBuffer(capacity: Self.pieceSize)
        self.decompressor = decompressor
        self.checksum = checksum
        self.input = input
        self.dropped = dropped
        (self.source, self.start, next, missing, self.expected) = (source, start, start, count, expected)
    }

    /// Whether the frame has ended, as libzstd sees it, and all of what had left was in it.
    var hasEnded: Bool { decompressor.hasEnded && missing == 0 }

    /// Goes on, for a mebibyte at most.
    ///
    /// - Parameter end: where the bytes of the frame end that are known to be its own.
    /// - Returns: the bytes written to `output`, and whether nothing more comes before that.
    mutating func decode(
        to end: UInt64, into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        if decompressor.hasEnded { return (0, true) }
        try read(to: end)
        if rest.isEmpty, !hasMore { return (0, true) }
        let isBehind = missing == 0
        let room = isBehind ? output : .init(rebasing: dropped.memory.prefix(Int(clamping: missing)))
        var part = UnsafeRawBufferPointer(rebasing: input.memory[rest])
        let (written, _) = try codec { () throws(CodecFailure) in
            try decompressor.stream(&part, into: room, offset: start)
        }
        rest = rest.upperBound - part.count..<rest.upperBound
        // What filled the room may have left more in the context.
        hasMore = written == room.count
        if isBehind { return (written, false) }
        try drop(room.prefix(written))
        return (0, false)
    }

    private mutating func read(to end: UInt64) throws(Failure) {
        guard rest.isEmpty, next < end else { return }
        let stop = min(next + UInt64(Self.pieceSize), end)
        rest = 0..<Int(stop - next)
        try source.range(next..<stop).read(into: UnsafeMutableRawBufferPointer(rebasing: input.memory[rest]))
        next = stop
    }

    /// What has left must be what libzstd makes of it.
    private mutating func drop(_ bytes: Slice<UnsafeMutableRawBufferPointer>) throws(Failure) {
        checksum.append(UnsafeRawBufferPointer(rebasing: bytes))
        missing -= UInt64(bytes.count)
        if missing == 0 || decompressor.hasEnded, checksum.value != expected || missing > 0 {
            throw .codec(.corrupt(reason: "decoded on several cores it has another content", offset: start))
        }
    }
}
