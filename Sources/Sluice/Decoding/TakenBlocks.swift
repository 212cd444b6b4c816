/// Bytes that several cores took from a frame and did not decode, for libzstd.
struct TakenBlocks: ~Copyable {
    private let buffer: OutputBuffer
    private var rest = 0..<0

    /// - Throws: `outOfMemory`.
    init(capacity: Int) throws(Failure) { buffer = try OutputBuffer(capacity: capacity) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.memory[rest.upperBound...].copyBytes(from: bytes)
        rest = rest.lowerBound..<rest.upperBound + bytes.count
    }

    /// Decodes until the output is full, or all bytes are decoded.
    ///
    /// - Returns: the bytes written to `output`, and whether all are decoded.
    mutating func decode(
        with decompressor: inout Decompressor, into output: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> (written: Int, isDone: Bool) {
        var bytes = UnsafeRawBufferPointer(rebasing: buffer.memory[rest])
        defer { rest = rest.upperBound - bytes.count..<rest.upperBound }
        return try decompressor.stream(&bytes, into: output, offset: offset)
    }
}
