internal import ByteStreams

extension GatherBuffer {
    /// Calls `body` with the bytes as one region, copying them only if they are several.
    mutating func withContiguous<Result>(
        _ load: consuming ChunkMemory, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch consume load {
        case .bytes(let bytes): try withContiguous(bytes, body)
        case .region(let region): try body(region)
        case .zeros(let count): try body(try zeros(count))
        }
    }

    /// Reads what a file has there; it stays until the next use of the buffer.
    mutating func read(_ range: FileRange) throws(Failure) -> UnsafeRawBufferPointer {
        let memory = try room(for: range.count)
        try range.read(into: memory)
        return UnsafeRawBufferPointer(rebasing: memory[..<range.count])
    }

    private mutating func zeros(_ count: Int) throws(Failure) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer(rebasing: try room(for: count)[..<count])
        _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
        return UnsafeRawBufferPointer(memory)
    }
}
