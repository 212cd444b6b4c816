internal import ByteStreams

/// The content as it is.
struct CopyTransform: Transform, ~Copyable {
    /// For what a worker has to read, and for holes.
    private var gather = GatherBuffer()

    var memory: Int { gather.capacity }

    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let bytes =
            if case .bytes(let bytes) = load { bytes } else { try gather.withContiguous(load, Self.copy) }
        return Frame(bytes: bytes, sourceSize: bytes.count, slots: slots)
    }

    private static func copy(_ region: UnsafeRawBufferPointer) throws(Failure) -> Bytes {
        let output = try OutputBuffer(capacity: region.count)
        output.memory.copyMemory(from: region)
        return output.finish(count: region.count)
    }

    mutating func begin() throws(Failure) {}

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let count = min(part.count, output.count)
        output.copyMemory(from: UnsafeRawBufferPointer(rebasing: part[..<count]))
        part = UnsafeRawBufferPointer(rebasing: part[count...])
        return (count, part.isEmpty)
    }
}
