internal import Synchronization

/// The bytes of a chunk, which are taken once, so that holding this object does not keep their memory.
///
/// A chunk is held by the loop that took it from the queue until its frame is done; its bytes must be freed when they
/// are gathered, since they are half of what is in flight.
final class ChunkBytes: Sendable {
    private let bytes: Mutex<Bytes>
    /// Where the bytes lie in a file, if the worker reads them.
    let range: FileRange?
    /// How many zeros the chunk consists of, if it is nothing else.
    private let zeros: Int?

    init(_ bytes: Bytes = Bytes(), in range: FileRange? = nil, zeros: Int? = nil) {
        self.bytes = Mutex(bytes)
        (self.range, self.zeros) = (range, zeros)
    }

    /// The bytes, which are gone afterwards; those of a file are read into the buffer.
    func take(with buffer: inout GatherBuffer) throws(Failure) -> ChunkMemory {
        if let zeros { return .zeros(zeros) }
        if let range { return .region(try buffer.read(range)) }
        return bytes.withLock { bytes in
            defer { bytes = Bytes() }
            return .bytes(bytes)
        }
    }
}

/// The bytes of a whole chunk, as a transform takes them.
enum ChunkMemory {
    /// Owned by the transform.
    case bytes(Bytes)
    /// Borrowed for the call.
    case region(UnsafeRawBufferPointer)
    /// A number of zeros, which were not read.
    case zeros(Int)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .region(let region): region.count
        case .zeros(let count): count
        }
    }
}

extension GatherBuffer {
    /// Calls `body` with the bytes as one region, copying them only if there are several.
    mutating func withContiguous<Result>(
        _ memory: consuming ChunkMemory, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch consume memory {
        case .bytes(let bytes): try withContiguous(bytes, body)
        case .region(let region): try body(region)
        case .zeros(let count): try body(try zeros(count))
        }
    }

    /// Reads a range of a file; the bytes are valid until the next use of the buffer.
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
