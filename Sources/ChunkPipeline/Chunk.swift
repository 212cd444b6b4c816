package import ByteStreams

/// A part of the input that one worker processes.
///
/// It is moved from the cutter to the worker, so that its bytes are freed once they are gathered: they are half of the
/// memory in flight.
package struct Chunk: ~Copyable, Sendable {
    package enum Content: Sendable {
        case memory(Bytes)
        /// A range that the worker reads itself: libdispatch serves all channels to one disk in turn, whereas `pread`
        /// does not wait for others.
        case range(Range<UInt64>, of: Source)
        /// This many bytes, which the worker has read into its buffer.
        case buffered(Int)
        /// This many zeros, which are not read.
        case hole(Int)
        /// One frame, or foreign data, that is too large or arrives too slowly to be held completely. Or complete
        /// members of another format: their output leaves in segments, so that an error withholds nothing decoded
        /// before it.
        case segments(SegmentQueue)
    }

    package private(set) var content: Content
    /// Its offset in the input.
    package let offset: UInt64
    /// The most bytes of its result, if that is held completely.
    package var bound = 0
    /// The number of slots it holds.
    package var slotCount = 1
    /// These slots.
    private(set) var lease: Lease?
    /// What its transform has to know besides its bytes; nil for nothing.
    package var context: (any ChunkContext)?
    /// The chain of chunks to which it belongs, and its bytes, if its end is only claimed.
    package var chain: (ChunkChain, bytes: Bytes)?
    /// Its place there.
    private(set) var link: ChunkChain.Link?
    /// Its position in the order of the output.
    package var index = 0

    package init(
        _ content: Content, at offset: UInt64, bound: Int = 0, slots: Int = 1, context: (any ChunkContext)? = nil
    ) {
        self.content = content
        self.offset = offset
        self.bound = bound
        slotCount = slots
        self.context = context
    }

    /// The number of its bytes; 0 for segments.
    package var count: Int {
        switch content {
        case .memory(let bytes): bytes.count
        case .range(let range, _): range.count
        case .buffered(let count), .hole(let count): count
        case .segments: 0
        }
    }

    // Computed properties: a `switch` over the content in a function that moves the chunk on would keep a copy, and its
    // memory, until then.

    package var isRange: Bool { if case .range = content { true } else { false } }
    package var bytes: Bytes? { if case .memory(let bytes) = content { bytes } else { nil } }
    package var hole: Int? { if case .hole(let count) = content { count } else { nil } }
    package var segments: SegmentQueue? { if case .segments(let segments) = content { segments } else { nil } }

    /// Gets the slots that were taken for it.
    mutating func hold(_ lease: Lease) {
        self.lease = lease
        link = chain.map { $0.add($1, lease) }
        chain = nil
    }

    /// How many segments of its output may wait to be written: all of them if its slots count its output (`bound`).
    package var outputCount: Int { max(ChunkResult.segmentCount, bound / ChunkResult.segmentSize + 1) }

    /// Reads its range of a file into the worker's buffer.
    package mutating func read(into buffer: inout GatherBuffer) throws(Failure) {
        guard case .range(let range, let source) = content else { return }
        _ = try buffer.read(range, of: source)
        content = .buffered(range.count)
    }

    fileprivate consuming func take() -> Content { content }
}

extension GatherBuffer {
    /// Calls `body` with the bytes of a chunk as one region. They are copied only if they lie in several.
    package mutating func withContiguous<Result>(
        _ chunk: consuming Chunk, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch chunk.take() {
        case .memory(let bytes): return try withContiguous(bytes, body)
        case .range(let range, let source): return try body(read(range, of: source).bytes)
        case .buffered(let count): return try body(room(for: count).bytes)
        case .hole(let count):
            let memory = try room(for: count)
            _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
            return try body(memory.bytes)
        case .segments: preconditionFailure("its segments come one by one")
        }
    }

    /// Reads a range of a file; the bytes are valid until the next use of the buffer.
    package mutating func read(_ range: Range<UInt64>, of source: Source) throws(Failure) -> UnsafeRawBufferPointer {
        let memory = try room(for: range.count)
        try source.read(range, into: memory)
        return UnsafeRawBufferPointer(memory)
    }
}

/// What a transform has to know about a chunk besides its bytes, such as its place within an xz stream. Only the cutter
/// and the transform know the type.
package protocol ChunkContext: Sendable {}

/// Cuts the input into chunks.
package protocol ChunkCutter {
    /// Waits for the next chunk; nil at the end of the input.
    mutating func next() throws(Failure) -> Chunk?
    /// Ends a chunk whose segments are still being read; called when the run ends or fails.
    mutating func cancel()
}

/// The segments of one chunk on the way from the cutter to its worker.
package final class SegmentQueue: Sendable {
    /// Some bytes, and the slots that they hold.
    package struct Held: Sendable {
        package let bytes: Bytes
        let lease: Lease
    }

    private let segments = WorkQueue<Result<Held, Failure>>()
    /// Those of the run, of which each segment takes one; nil if those of the chunk are for all its bytes.
    private let slots: Slots?
    /// The permits for large windows, one of which is held for the worker; nil if its window is not large.
    private let windows: Slots?

    package init(_ slots: Slots?, windows: Slots? = nil) { (self.slots, self.windows) = (slots, windows) }

    /// Gives back the permit of the worker's window, and drops what the worker has not taken, because it has failed,
    /// and what comes later: the reader would wait for these slots.
    func didEnd() {
        windows?.give()
        segments.close(dropping: true)
    }

    /// Adds a segment that has its slots.
    func add(_ segment: Held) { segments.push(.success(segment)) }

    /// Ends the chunk, after the segments already pushed.
    func end(with failure: Failure?) { if let failure { fail(failure) } else { close() } }

    /// Waits for a slot, and adds a segment.
    ///
    /// - Throws: `cancelled` if the run, or the worker of the chunk, has failed in the meantime: nothing that follows
    ///   counts then, and the reader must not read on for a queue that drops it.
    package func push(_ segment: Bytes) throws(Failure) {
        guard slots?.take() != false else { throw .cancelled }
        let held = Held(bytes: segment, lease: Lease(isOfInput: true) { [slots] in slots?.give() })
        if !segments.push(.success(held)) { throw .cancelled }
    }

    /// Adds segments until there are no more, and ends the chunk.
    ///
    /// - Throws: the failure of `next` or `push`, after ending the chunk with it.
    package func fill(_ next: () throws(Failure) -> Bytes?) throws(Failure) {
        do throws(Failure) {
            while let segment = try next() { try push(segment) }
            close()
        } catch {
            fail(error)
            throw error
        }
    }

    package func close() { segments.close() }

    /// Ends the chunk with a failure, after the segments already pushed.
    package func fail(_ failure: Failure) {
        segments.push(.failure(failure))
        segments.close()
    }

    /// Whether `next` would wait.
    var isEmpty: Bool { segments.isEmpty }

    /// Waits for the next segment; nil at the end.
    ///
    /// - Throws: the failure that ended the chunk.
    package func next() throws(Failure) -> Held? { try segments.pop()?.get() }
}
