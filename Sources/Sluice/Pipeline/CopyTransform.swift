/// Copies content unchanged.
struct CopyTransform: Transform, ~Copyable {
    mutating func apply(
        _ chunk: consuming Chunk, with buffer: inout GatherBuffer
    ) throws(Failure) -> ChunkResult {
        let bytes = if let bytes = chunk.bytes { bytes } else { try buffer.withContiguous(chunk, Bytes.copying) }
        return ChunkResult(bytes: bytes, sourceSize: bytes.count)
    }
}

extension Bytes {
    /// - Throws: `outOfMemory`.
    static func copying(_ region: UnsafeRawBufferPointer) throws(Failure) -> Bytes {
        let output = try OutputBuffer(capacity: region.count)
        output.memory.copyMemory(from: region)
        return output.finish(count: region.count)
    }
}
