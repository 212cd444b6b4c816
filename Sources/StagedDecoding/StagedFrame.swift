package import ByteStreams
internal import ChunkPipeline
internal import DequeModule
internal import Synchronization
package import ZstdCodec

/// One frame, decoded on several cores. Helpers decode its blocks into sequences, batch by batch, and the thread that
/// owns the frame executes these in order. When nothing is ready to be executed, that thread decodes too.
package struct StagedFrame: ~Copyable {
    /// A batch, used by one thread at a time.
    private final class Batch: Sendable {
        let blocks: Mutex<BlockBatch>

        init() throws(CodecFailure) { blocks = Mutex(try BlockBatch()) }

        /// Whether it is decoded, and no thread is using it.
        var isReady: Bool { blocks.withLockIfAvailable { $0.isDecoded } ?? false }

        /// - Parameter lane: the helper; nil for the thread that owns the frame.
        func decode(with tables: borrowing BlockTables, for decoder: StagedFrameThreads, lane: Int? = nil) {
            blocks.withLock { blocks in
                if blocks.isDecoded { return }
                let start = StageSpan.now()
                blocks.decode(with: tables)
                decoder.monitor?.record(StageSpan(stage: .blocks, lane: lane, source: blocks.input.count, start: start))
            }
        }
    }

    /// A batch that was executed, or several that were joined.
    private struct Executed {
        let batch: Batch
        /// The state before it.
        let before: BlockHistory
        /// The bytes of its content.
        var content: UInt64
    }

    private static let mostBatches = 12
    /// The most batches that are kept for libzstd. Two are, unless blocks are much larger than their content.
    private static let mostRecent = 3
    /// The number of bytes of content handed on together: smaller outputs would wake threads more often.
    private static let outputSize = 4 * BlockBatch.contentSize
    /// The outputs that are in flight at once, and the one that is being filled.
    private static let outputsSize = (ChunkResult.segmentCount + 1) * outputSize + BlockBatch.slack
    /// The content that is kept besides the window, in bytes: of the blocks that libzstd decodes again. It keeps less.
    private static let kept = BlockBatch.contentSize + 2 * Int(Decompressor.strayBytes)
    /// The most memory of a frame without its window, in bytes.
    package static let memory = mostBatches * BlockBatch.memory + outputsSize + SlidingMemory.overhead + kept

    private let decoder: StagedFrameThreads
    private let header: FrameHeader
    private let memory: SlidingMemory
    private var history: BlockHistory
    private let tables: BlockTables
    /// Registers the action that ends waiting for memory when the run fails.
    private let registration: Int
    /// Batches that any thread may decode.
    private let undecoded: WorkQueue<Batch>
    /// Batches to execute, in the order of the frame.
    private var waiting: Deque<Batch> = []
    private var free: [Batch] = []
    /// The batch that takes the next blocks.
    private var filling: Batch?
    /// Whether the frame's last block was found, or a block was rejected. No more blocks are taken after either.
    private var hasLast = false
    private var hasRefused = false
    /// The last batches that were executed: libzstd decodes them again before it goes on.
    private var recent: Deque<Executed> = []
    /// The last batch before these with codes: libzstd may need them.
    private var codes: Batch?
    /// Where the frame begins in the input.
    private let offset: UInt64
    /// How many bytes the blocks have that were executed, as long as libzstd would have all of the content in its
    /// buffer: it can then decode them again.
    private var executedSize: UInt64 = 0
    /// These bytes, if the input comes only once. One array for all of them would be copied whenever it grows.
    private var executed: [[UInt8]] = []
    /// The number of bytes after the last block that were dropped.
    private var dropped = 0
    /// Whether no more input is available for now.
    private var isPaused = false

    /// Nil if there is not enough memory, or no helper could be started.
    init?(_ header: FrameHeader, at offset: UInt64, for decoder: StagedFrameThreads) {
        let undecoded = WorkQueue<Batch>()
        // The owner, which does what no helper does.
        undecoded.didStartThread()
        guard let memory = SlidingMemory(window: Self.reach(header), regions: Self.outputsSize),
            let tables = try? BlockTables(), let batches = try? (0..<Self.mostBatches).map({ _ in try Batch() }),
            decoder.startHelpers({ Self.help(undecoded, for: decoder, lane: $0) })
        else { return nil }
        self.tables = tables
        self.undecoded = undecoded
        (free, self.decoder, self.memory) = (batches, decoder, memory)
        (self.header, self.offset, history) = (header, offset, BlockHistory(header))
        registration = decoder.latch.onFailure { memory.cancel() }
    }

    /// How much content is kept, in bytes.
    private static func reach(_ header: FrameHeader) -> UInt64 {
        header.windowSize + (Decompressor.ringSize(of: header) == nil ? 0 : UInt64(kept))
    }

    deinit {
        decoder.latch.forget(registration)
        undecoded.close(dropping: true)
        decoder.end()
    }

    /// Whether all of the frame has been executed.
    package var isDone: Bool { hasLast && waiting.isEmpty }

    /// Memory for the output of the next step; waits until it is free.
    ///
    /// - Throws: `cancelled` if the run has failed.
    package func makeOutput() throws(Failure) -> OutputBuffer {
        try OutputBuffer(in: memory, at: history.produced, count: Self.outputSize + BlockBatch.slack)
    }

    /// Lets the next step decode all complete blocks, even those that would otherwise wait for more.
    ///
    /// - Returns: whether there may be any.
    package mutating func pause() -> Bool {
        isPaused = true
        return filling != nil || !waiting.isEmpty
    }

    /// Decodes until the output is full, or more input is needed.
    ///
    /// - Parameters:
    ///   - segment: bytes of the frame; on return, those not taken yet.
    ///   - isEnd: whether no bytes follow.
    ///   - output: the last result of `makeOutput`.
    /// - Returns: the number of bytes of content; nil if a block is rejected: then call `leave`.
    package mutating func step(
        _ segment: inout RawSpan, isEnd: Bool, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        if !segment.isEmpty { isPaused = false }
        var written = 0
        while written + BlockBatch.contentSize <= Self.outputSize {
            fill(&segment, isEnd: isEnd)
            guard let oldest = waiting.first else { break }
            // Keep the batch that may hold the end of the content: that is only handed on if the checksum after it is
            // right. But do not make the reader of a live stream wait before the last block.
            if waiting.count == 1, !isEnd, !hasRefused, !isPaused || hasLast { break }
            if oldest.isReady {
                guard let count = execute(oldest, into: output.extracting(written...)) else {
                    // Hand on the content before the rejected block first.
                    return written > 0 ? written : nil
                }
                written += count
            } else if segment.isEmpty, !isEnd, !isPaused {
                break
            } else {
                // Decode instead of waiting for a helper.
                (undecoded.popIfAny() ?? oldest).decode(with: tables, for: decoder)
            }
        }
        return written
    }

    /// Fills batches with blocks, as long as free batches are left.
    private mutating func fill(_ segment: inout RawSpan, isEnd: Bool) {
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
        // Drop the checksum.
        dropped += segment.byteCount
        segment = segment.extracting(last: 0)
    }

    /// Hands on the batch that was being filled.
    private mutating func end(_ batch: Batch) {
        let isEmpty: Bool
        (hasLast, hasRefused, isEmpty) = batch.blocks.withLock { blocks in
            blocks.finish()
            return (blocks.hasLast, blocks.isRefused, blocks.isEmpty)
        }
        // The last block may have no content. Keep it for `leave` only.
        if isEmpty, hasLast { return }
        filling = nil
        if isEmpty, !hasRefused { return free.append(batch) }
        waiting.append(batch)
        undecoded.push(batch)
    }

    /// Hands on the complete blocks of the batch that is being filled.
    private mutating func endEarly() {
        guard let batch = filling, !batch.blocks.withLock({ $0.isEmpty }), let next = free.popLast() else { return }
        batch.blocks.withLock { blocks in next.blocks.withLock { blocks.finish(before: &$0, &history) } }
        waiting.append(batch)
        undecoded.push(batch)
        filling = next
    }

    /// - Returns: the number of bytes of content; nil if a block is rejected.
    private mutating func execute(_ batch: Batch, into output: UnsafeMutableRawBufferPointer) -> Int? {
        let before = history
        let count = batch.blocks.withLock { blocks -> Int? in
            // Blocks much larger than their content, which no encoder makes, would take any amount of memory.
            if recent.count > Self.mostRecent { return nil }
            let size = UInt64(blocks.input.count)
            if before.isFirstLap, executedSize + size > 2 * Self.reach(header) { return nil }
            guard let count = blocks.execute(&history, into: output) else { return nil }
            if before.isFirstLap { executedSize += size }
            if before.isFirstLap, decoder.reread == nil { executed.append(Array(blocks.input)) }
            return count
        }
        guard let count else { return nil }
        if !history.isFirstLap { executed = [] }
        waiting.removeFirst()
        keep(Executed(batch: batch, before: before, content: UInt64(count)))
        return count
    }

    /// Keeps a batch that was executed, and lets those go that are no longer among the last.
    private mutating func keep(_ executed: Executed) {
        if let last = recent.last, last.content < Decompressor.strayBytes, join(executed.batch, to: last.batch) {
            recent[recent.count - 1].content += executed.content
            free.append(executed.batch)
        } else {
            recent.append(executed)
        }
        while let first = recent.first,
            history.produced - first.before.produced - first.content >= Decompressor.strayBytes
        {
            recent.removeFirst()
            guard first.batch.blocks.withLock({ $0.hasCodes }) else {
                free.append(first.batch)
                continue
            }
            if let codes { free.append(codes) }
            codes = first.batch
        }
    }

    private func join(_ next: Batch, to batch: Batch) -> Bool {
        next.blocks.withLock { next in batch.blocks.withLock { $0.join(next) } }
    }

    /// What libzstd needs to continue the frame with the batch that contains the rejected block.
    package struct Rest {
        package let header: FrameHeader
        /// The state before `taken`; nil if that begins with the frame.
        package let state: State?
        /// Bytes of the frame: some of the blocks that were executed, and all that were taken and were not.
        package let taken: Bytes
        /// The bytes of content that they begin with and that were handed on.
        package let repeated: UInt64

        package struct State {
            /// The content before `taken`, as far back as it is kept.
            package let window: UnsafeRawBufferPointer
            /// Where libzstd would have it.
            package let ring: Decompressor.Ring
            /// Blocks that restore libzstd's tables.
            package let blocks: [UInt8]
        }
    }

    /// Leaves the rest of the frame to libzstd.
    ///
    /// - Parameter output: the last result of `makeOutput`, still unused.
    /// - Throws: `outOfMemory`, or what reading the input again throws.
    package func leave(output: UnsafeMutableRawBufferPointer) throws(Failure) -> Rest {
        let batches = Array(waiting) + (filling.map { [$0] } ?? [])
        guard !history.isFirstLap, let first = recent.first else {
            let start = offset + UInt64(header.size)
            let executed = try decoder.reread?(start..<start + executedSize) ?? Array(executed.joined())
            let taken = try taken(by: batches, after: header.bytes + executed)
            return Rest(header: header, state: nil, taken: taken, repeated: history.produced)
        }
        let repeated = history.produced - first.before.produced
        // In `SlidingMemory`, the content lies directly before the output.
        let reach = Int(min(first.before.produced, Self.reach(header) - repeated))
        let window = output.baseAddress.map { UnsafeRawBufferPointer(start: $0 - Int(repeated) - reach, count: reach) }
        let codes = codes?.blocks.withLock { $0.restoringCodes } ?? []
        guard let window, let blocks = first.batch.blocks.withLock({ $0.restoringBlocks(first.before) }) else {
            throw .outOfMemory
        }
        return Rest(
            header: header, state: Rest.State(window: window, ring: first.before.ring, blocks: codes + blocks),
            taken: try taken(by: recent.map(\.batch) + batches), repeated: repeated)
    }

    private func taken(by batches: [Batch], after first: [UInt8] = []) throws(Failure) -> Bytes {
        let count = batches.reduce(first.count + dropped) { count, batch in
            count + batch.blocks.withLock { $0.input.count }
        }
        let taken = try OutputBuffer(capacity: count)
        var rest = taken.memory
        rest.copyBytes(from: first)
        rest = rest.extracting(first.count...)
        for batch in batches {
            batch.blocks.withLock { blocks in
                rest.copyMemory(from: blocks.input)
                rest = rest.extracting(blocks.input.count...)
            }
        }
        // libzstd does not verify the checksum, so zeros can replace the bytes that were dropped.
        _ = rest.initializeMemory(as: UInt8.self, repeating: 0)
        return taken.finish(count: count)
    }

    /// Decodes batches until the frame is done.
    private static func help(_ undecoded: WorkQueue<Batch>, for decoder: StagedFrameThreads, lane: Int) {
        // Without memory for tables, leave all the work to the other threads.
        guard let tables = try? BlockTables() else { return }
        undecoded.didStartThread()
        while let batch = undecoded.pop() { batch.decode(with: tables, for: decoder, lane: lane) }
    }
}
