/// The bytes of a stream, for a walk over its frames: all of them are read, in order.
final class StreamedFrames: FrameOrigin {
    /// Bytes per read: at most, and at least unless the stream ends.
    private static let reads = (most: 1 << 20, least: 64)
    /// What is kept before the bytes of the last read: a frame ends in a checksum.
    private static let kept = 4

    private let stream: any ByteSource
    private let memory: HeapMemory
    /// Where in the stream the memory ends.
    private var position: UInt64 = 0
    private var held = 0
    /// The first bytes.
    private(set) var start: [UInt8] = []

    init(_ stream: any ByteSource) throws(Failure) {
        self.stream = stream
        memory = HeapMemory(try OutputBuffer.allocate(Self.reads.most + Self.kept))
    }

    /// The walk skips nothing, but gets all bytes.
    var size: UInt64 { 0 }

    func bytes(from offset: UInt64) throws(Failure) -> UnsafeRawBufferPointer {
        let kept = min(held, Self.kept)
        let end = UnsafeRawBufferPointer(memory.writable.extracting(held - kept..<held))
        memory.writable.extracting(..<kept).copyMemory(from: end)
        held = kept
        while held - kept < Self.reads.least,
            let bytes = try stream.read(memory.writable.count - held, until: nil)
        {
            bytes.copy(to: memory.writable.extracting(held...))
            held += bytes.count
        }
        position += UInt64(held - kept)
        let bytes = UnsafeRawBufferPointer(memory.writable.extracting(kept..<held))
        if start.isEmpty { start = Array(bytes.prefix(ForeignFormat.magicSize)) }
        return bytes
    }

    /// The four bytes before an offset, if the last read has them.
    func ending(at offset: UInt64) -> UInt32? {
        guard offset <= position, position - offset + 4 <= UInt64(held) else { return nil }
        let start = held - Int(position - offset) - 4
        return UInt32(littleEndianBytes: memory.writable.extracting(start..<start + 4))
    }
}
