/// Copies content unchanged.
struct CopyTransform: Transform, ~Copyable {
    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> ChunkResult {
        let bytes = if let bytes = chunk.bytes { bytes } else { try buffer.withContiguous(chunk, Bytes.copying) }
        return ChunkResult(bytes: bytes, sourceSize: bytes.count)
    }
}

extension Bytes {
    /// - Throws: `outOfMemory`.
    static func copying(_ region: RawSpan) throws(Failure) -> Bytes {
        let output = try OutputBuffer(capacity: region.byteCount)
        region.withUnsafeBytes(output.memory.copyMemory)
        return output.finish(count: region.byteCount)
    }
}
