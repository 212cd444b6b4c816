internal import ByteStreams
internal import ZstdCodec

/// Decodes a frame of a file again by libzstd alone, when several cores may have erred; content that has left is
/// dropped.
struct FrameReplay: ~Copyable {
    private static let readSize = 1 << 20

    private let source: Source
    /// Where the frame begins in the file, and its next bytes.
    private let start: UInt64
    private var next: UInt64
    private var decompressor: Decompressor
    private let input: OutputBuffer
    private var rest = 0..<0
    private var hasMore = false
    /// Receives content that has left already, and how many bytes of it are still to come.
    private let dropped: OutputBuffer
    private var missing: UInt64
    private var checksum: ContentChecksum
    private let expected: UInt32

    /// - Parameters:
    ///   - count: bytes of the content that have left.
    ///   - expected: their checksum.
    init(_ source: Source, from start: UInt64, behind count: UInt64, checksum expected: UInt32) throws(Failure) {
        // Everything that may throw comes first: a half-made value can't be destroyed.
        let decompressor = try codec { () throws(CodecFailure) in
            var decompressor = try Decompressor()
            try decompressor.begin()
            return decompressor
        }
        let checksum = try codec { () throws(CodecFailure) in try ContentChecksum() }
        let input = try OutputBuffer(capacity: Self.readSize)
        let dropped = try OutputBuffer(capacity: Self.readSize)
        self.decompressor = decompressor
        self.checksum = checksum
        self.input = input
        self.dropped = dropped
        (self.source, self.start, next, missing, self.expected) = (source, start, start, count, expected)
    }

    /// Whether libzstd has reached the frame's end, and all content that had left was in it.
    var hasEnded: Bool { decompressor.hasEnded && missing == 0 }

    /// Decodes up to a mebibyte.
    ///
    /// - Parameter end: the end of the input that is known to belong to the frame.
    /// - Returns: the bytes written to `output`, and whether all of that input is decoded.
    mutating func decode(
        to end: UInt64, into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        if decompressor.hasEnded { return (0, true) }
        try read(to: end)
        if rest.isEmpty, !hasMore { return (0, true) }
        let isBehind = missing == 0
        let room = isBehind ? output : .init(rebasing: dropped.memory.prefix(Int(clamping: missing)))
        var segment = UnsafeRawBufferPointer(rebasing: input.memory[rest])
        let (written, _) = try codec { () throws(CodecFailure) in
            try decompressor.stream(&segment, into: room, offset: start)
        }
        rest = rest.upperBound - segment.count..<rest.upperBound
        // If the room is full, there may be more in the context.
        hasMore = written == room.count
        if isBehind { return (written, false) }
        try drop(room.prefix(written))
        return (0, false)
    }

    private mutating func read(to end: UInt64) throws(Failure) {
        guard rest.isEmpty, next < end else { return }
        let stop = min(next + UInt64(Self.readSize), end)
        rest = 0..<Int(stop - next)
        try source.range(next..<stop).read(into: UnsafeMutableRawBufferPointer(rebasing: input.memory[rest]))
        next = stop
    }

    /// Checks that libzstd makes the same content as has left.
    private mutating func drop(_ bytes: Slice<UnsafeMutableRawBufferPointer>) throws(Failure) {
        checksum.append(UnsafeRawBufferPointer(rebasing: bytes))
        missing -= UInt64(bytes.count)
        if missing == 0 || decompressor.hasEnded, checksum.value != expected || missing > 0 {
            throw .codec(.corrupt(reason: "decoded on several cores it has another content", offset: start))
        }
    }
}
