internal import Synchronization

/// The bytes of a chunk, which are taken once, so that holding this object does not keep their memory.
///
/// A chunk is held by the loop that took it from the queue until its frame is done; its bytes must be freed when they
/// are gathered, since they are half of what is in flight.
final class ChunkBytes: Sendable {
    enum Origin: Sendable {
        case memory(Bytes)
        /// The worker reads them: libdispatch serves all channels to one disk in turn, and `pread` does not wait.
        case file(Source, Range<UInt64>)
        /// So many zeros.
        case hole(Int)
    }

    private let origin: Mutex<Origin>

    init(_ origin: Origin) { self.origin = Mutex(origin) }

    /// The bytes, which are gone afterwards; those of a file are read into the buffer.
    func take(with buffer: inout GatherBuffer) throws(Failure) -> ChunkMemory {
        let origin = origin.withLock { origin in
            defer { origin = .memory(Bytes()) }
            return origin
        }
        switch origin {
        case .memory(let bytes): return .bytes(bytes)
        case .file(let source, let range): return .region(try buffer.read(range, of: source))
        case .hole(let count): return .zeros(count)
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
        case .bytes(let bytes): return try withContiguous(bytes, body)
        case .region(let region): return try body(region)
        case .zeros(let count):
            let memory = try room(for: count)
            _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
            return try body(UnsafeRawBufferPointer(memory))
        }
    }

    /// Reads a range of a file; the bytes are valid until the next use of the buffer.
    mutating func read(_ range: Range<UInt64>, of source: Source) throws(Failure) -> UnsafeRawBufferPointer {
        let memory = try room(for: range.count)
        try source.read(range, into: memory)
        return UnsafeRawBufferPointer(memory)
    }
}
