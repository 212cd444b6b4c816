/// A run of the input that one worker takes.
///
/// It is moved from the cutter to the worker, so that its bytes are free when they are gathered: they are half of what
/// is in flight.
struct Chunk: ~Copyable, Sendable {
    enum Content: Sendable {
        case memory(Bytes)
        /// The worker reads them: libdispatch serves all channels to one disk in turn, and `pread` does not wait.
        case range(Range<UInt64>, of: Source)
        /// So many bytes, which the worker has read into its buffer.
        case buffered(Int)
        /// So many zeros, which are not read.
        case hole(Int)
        /// Members of another format. They are here as a whole; their output leaves in segments, so that there is some
        /// before an error.
        case members(Bytes)
        /// One frame, or foreign data, that is too large, or arrives too slowly, to be held as a whole.
        case segments(SegmentQueue)
    }

    private(set) var content: Content
    /// Where it begins in the input.
    let offset: UInt64
    /// The most bytes of its result, if that is held as a whole.
    var bound = 0
    /// How many slots it holds.
    var slotCount = 1
    /// Where within foreign data it begins; nil at its beginning, and for frames.
    var place: ForeignPlace?
    /// Its place in the order of the output.
    var index = 0

    init(
        _ content: Content, at offset: UInt64, bound: Int = 0, slots: Int = 1, place: ForeignPlace? = nil
    ) {
        (self.content, self.offset, self.bound, slotCount, self.place) = (content, offset, bound, slots, place)
    }

    /// Bytes that it has; 0 for segments.
    var count: Int {
        switch content {
        case .memory(let bytes), .members(let bytes): bytes.count
        case .range(let range, _): range.count
        case .buffered(let count), .hole(let count): count
        case .segments: 0
        }
    }

    // A switch over the content in a function that moves the chunk on would keep a copy, and its memory, meanwhile.

    var isRange: Bool { if case .range = content { true } else { false } }
    var bytes: Bytes? { if case .memory(let bytes) = content { bytes } else { nil } }
    var hole: Int? { if case .hole(let count) = content { count } else { nil } }
    var members: Bytes? { if case .members(let bytes) = content { bytes } else { nil } }
    var segments: SegmentQueue? { if case .segments(let segments) = content { segments } else { nil } }

    /// How many segments of its output may wait for their turn.
    var outputCount: Int { max(Frame.segmentCount, bound / Frame.segmentSize + 1) }

    /// Reads its range of a file into the worker's buffer.
    mutating func read(into buffer: inout GatherBuffer) throws(Failure) {
        guard case .range(let range, let source) = content else { return }
        _ = try buffer.read(range, of: source)
        content = .buffered(range.count)
    }

    fileprivate consuming func take() -> Content { content }
}

extension GatherBuffer {
    /// Calls `body` with the bytes of a chunk as one region. They are copied only if they lie in several.
    mutating func withContiguous<Result>(
        _ chunk: consuming Chunk, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch chunk.take() {
        case .memory(let bytes), .members(let bytes): return try withContiguous(bytes, body)
        case .range(let range, let source): return try body(read(range, of: source))
        case .buffered(let count): return try body(UnsafeRawBufferPointer(room(for: count)))
        case .hole(let count):
            let memory = try room(for: count)
            _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
            return try body(UnsafeRawBufferPointer(memory))
        case .segments: preconditionFailure("its segments come one by one")
        }
    }

    /// Reads a range of a file; the bytes are valid until the next use of the buffer.
    mutating func read(_ range: Range<UInt64>, of source: Source) throws(Failure) -> UnsafeRawBufferPointer {
        let memory = try room(for: range.count)
        try source.read(range, into: memory)
        return UnsafeRawBufferPointer(memory)
    }
}

/// Cuts the input into chunks.
protocol ChunkCutter {
    /// Waits for the next chunk; nil at the end of the input.
    mutating func next() throws(Failure) -> Chunk?
    /// Ends a chunk whose segments are still being read, when the run fails.
    mutating func cancel()
}
