package import ByteStreams
internal import ChunkPipeline
internal import DequeModule
internal import Synchronization
package import ZstdCodec

/// One frame, decoded on several cores: helpers decode its blocks into sequences, batch by batch, and the thread that
/// has the frame executes these in order. When there is nothing to execute it decodes too.
package struct StagedFrame: ~Copyable {
    /// A batch, for one thread at a time.
    private final class Batch: Sendable {
        let blocks: Mutex<BlockBatch>

        init() throws(CodecFailure) { blocks = Mutex(try BlockBatch()) }

        /// Whether it is decoded, and no thread has it.
        var isReady: Bool { blocks.withLockIfAvailable { $0.isDecoded } ?? false }

        /// - Parameter lane: the helper; nil for the thread that has the frame.
        func decode(with tables: borrowing BlockTables, in stages: Stages, lane: Int? = nil) {
            blocks.withLock { blocks in
                if blocks.isDecoded { return }
                let start = Span.now()
                blocks.decode(with: tables)
                stages.monitor?.record(Span(stage: .blocks, lane: lane, source: blocks.input.count, start: start))
            }
        }
    }

    private static let mostBatches = 12
    /// Bytes of content that leave together: smaller outputs would wake threads more often.
    private static let outputSize = 4 * BlockBatch.contentSize
    private static let outputsSize = (Frame.segmentCount + 1) * outputSize + BlockBatch.slack
    /// The most bytes that one takes, without its window.
    package static let memory = mostBatches * BlockBatch.memory + outputsSize + SlidingMemory.overhead

    private let stages: Stages
    private let header: FrameHeader
    private let memory: SlidingMemory
    private var history: BlockHistory
    private let tables: BlockTables
    /// The action that ends the waiting for memory when the run fails.
    private let registration: Int
    /// Batches for any thread to decode.
    private let undecoded: WorkQueue<Batch>
    /// Batches to be executed, in the order of the frame.
    private var waiting: Deque<Batch> = []
    private var free: [Batch] = []
    /// The batch that takes the next blocks.
    private var filling: Batch?
    /// Whether the frame's last block was found, or one that is refused. No blocks are taken after either.
    private var hasLast = false
    private var hasRefused = false
    /// Bytes after the last block that were dropped.
    private var dropped = 0
    /// Whether no more input comes for now.
    private var isPaused = false

    /// Nil if there is not enough memory, or no other thread.
    init?(_ header: FrameHeader, in stages: Stages) {
        let undecoded = WorkQueue<Batch>()
        guard let memory = SlidingMemory(window: header.windowSize, regions: Self.outputsSize),
            let tables = try? BlockTables(), let batches = try? (0..<Self.mostBatches).map({ _ in try Batch() }),
            stages.startHelpers({ Self.help(undecoded, in: stages, lane: $0) })
        else { return nil }
        self.tables = tables
        self.undecoded = undecoded
        (free, self.stages, self.memory) = (batches, stages, memory)
        (self.header, history) = (header, BlockHistory(header))
        registration = stages.latch.onFailure { memory.cancel() }
    }

    deinit {
        stages.latch.forget(registration)
        undecoded.close(dropping: true)
        stages.end()
    }

    /// Whether all of it was executed.
    package var isDone: Bool { hasLast && waiting.isEmpty }

    /// Memory for the output of the next step; waits until it is free.
    ///
    /// - Throws: `cancelled` if the run failed.
    package func makeOutput() throws(Failure) -> OutputBuffer {
        try OutputBuffer(in: memory, at: history.produced, count: Self.outputSize + BlockBatch.slack)
    }

    /// Lets the next step decode all whole blocks, also those that would wait for more.
    ///
    /// - Returns: whether there may be some.
    package mutating func pause() -> Bool {
        isPaused = true
        return filling != nil || !waiting.isEmpty
    }

    /// Decodes until the output is full, or more of the frame is needed.
    ///
    /// - Parameters:
    ///   - segment: bytes of the frame; on return, those that are not taken yet.
    ///   - isEnd: whether no bytes follow.
    ///   - output: the last result of `makeOutput`.
    /// - Returns: the bytes of content; nil if a block is refused: then `leave` comes next.
    package mutating func step(
        _ segment: inout UnsafeRawBufferPointer, isEnd: Bool, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        if !segment.isEmpty { isPaused = false }
        var written = 0
        while written + BlockBatch.contentSize <= Self.outputSize {
            fill(&segment, isEnd: isEnd)
            guard let oldest = waiting.first else { break }
            // This may be the end of the content, which leaves only when the checksum after it is right.
            if waiting.count == 1, !isEnd, !hasRefused, !isPaused || hasLast { break }
            if oldest.isReady {
                guard let count = execute(oldest, into: .init(rebasing: output[written...])) else {
                    // What comes before it leaves first.
                    return written > 0 ? written : nil
                }
                written += count
            } else if segment.isEmpty, !isEnd, !isPaused {
                break
            } else {
                (undecoded.popIfAny() ?? oldest).decode(with: tables, in: stages)
            }
        }
        return written
    }

    /// Takes blocks, as long as there are free batches.
    private mutating func fill(_ segment: inout UnsafeRawBufferPointer, isEnd: Bool) {
        while !hasLast, !hasRefused, !segment.isEmpty || isEnd {
            if filling == nil {
                guard !segment.isEmpty, let next = free.popLast() else { return }
                next.blocks.withLock { $0.begin(&history) }
                filling = next
            }
            guard let batch = filling else { return }
            let isFull = batch.blocks.withLock { $0.fill(&segment, &history) }
            guard isFull || isEnd else { break }
            end(batch)
        }
        if isPaused { endEarly() }
        guard hasLast else { return }
        // Drops the checksum.
        dropped += segment.count
        segment = UnsafeRawBufferPointer(rebasing: segment.suffix(0))
    }

    /// Hands the batch on that took blocks.
    private mutating func end(_ batch: Batch) {
        let isEmpty: Bool
        (hasLast, hasRefused, isEmpty) = batch.blocks.withLock { blocks in
            blocks.finish()
            return (blocks.hasLast, blocks.isRefused, blocks.isEmpty)
        }
        // The last block may have no content: it only counts for `leave`.
        if isEmpty, hasLast { return }
        filling = nil
        if isEmpty, !hasRefused { return free.append(batch) }
        waiting.append(batch)
        undecoded.push(batch)
    }

    /// Hands the whole blocks of the batch on that takes some.
    private mutating func endEarly() {
        guard let batch = filling, !batch.blocks.withLock({ $0.isEmpty }), let next = free.popLast() else { return }
        batch.blocks.withLock { blocks in next.blocks.withLock { blocks.finish(before: &$0, &history) } }
        waiting.append(batch)
        undecoded.push(batch)
        filling = next
    }

    /// - Returns: bytes of content; nil if a block is refused.
    private mutating func execute(_ batch: Batch, into output: UnsafeMutableRawBufferPointer) -> Int? {
        guard let count = batch.blocks.withLock({ $0.execute(&history, into: output) }) else { return nil }
        waiting.removeFirst()
        free.append(batch)
        return count
    }

    /// What libzstd needs to go on with the frame, from the batch whose block was refused.
    package struct Rest {
        package let header: FrameHeader
        /// The content in front of the output, as far as a match may reach.
        package let window: UnsafeRawBufferPointer
        /// Blocks that restore libzstd's tables.
        package let blocks: [UInt8]
        /// The blocks that were taken from the frame, and come next.
        package let taken: Bytes
    }

    /// Leaves the rest of the frame to libzstd.
    ///
    /// - Parameter output: the last result of `makeOutput`, with nothing in it.
    /// - Returns: nil if the frame is damaged.
    /// - Throws: `outOfMemory`.
    package func leave(output: UnsafeMutableRawBufferPointer) throws(Failure) -> Rest? {
        // Such a match would find the blocks that restore libzstd's tables, which lie in front of the content here.
        if history.reachesOut { return nil }
        let batches = Array(waiting) + (filling.map { [$0] } ?? [])
        let reach = Int(min(history.produced, header.windowSize))
        let window = output.baseAddress.map { UnsafeRawBufferPointer(start: $0 - reach, count: reach) }
        guard let window, let blocks = batches.first?.blocks.withLock({ $0.restoringBlocks(history) }) else {
            throw .outOfMemory
        }
        return Rest(header: header, window: window, blocks: blocks, taken: try taken(by: batches))
    }

    private func taken(by batches: [Batch]) throws(Failure) -> Bytes {
        let count = batches.reduce(dropped) { count, batch in count + batch.blocks.withLock { $0.input.count } }
        let taken = try OutputBuffer(capacity: count)
        var rest = taken.memory
        for batch in batches {
            batch.blocks.withLock { blocks in
                rest.copyMemory(from: blocks.input)
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[blocks.input.count...])
            }
        }
        // libzstd does not look at the checksum.
        _ = rest.initializeMemory(as: UInt8.self, repeating: 0)
        return taken.finish(count: count)
    }

    /// Decodes batches until the frame is done.
    private static func help(_ undecoded: WorkQueue<Batch>, in stages: Stages, lane: Int) {
        // Without memory for tables the other threads do it all.
        guard let tables = try? BlockTables() else { return }
        while let batch = undecoded.pop() { batch.decode(with: tables, in: stages, lane: lane) }
    }
}
