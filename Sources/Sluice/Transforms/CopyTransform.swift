/// Copies content unchanged.
struct CopyTransform: Transform, ~Copyable {
    /// For chunks that the worker reads, and for holes.
    private var gather = GatherBuffer()

    mutating func apply(
        _ chunk: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let bytes = if case .bytes(let bytes) = chunk { bytes } else { try gather.withContiguous(chunk, Bytes.copying) }
        return Frame(bytes: bytes, sourceSize: bytes.count, slots: slots)
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
