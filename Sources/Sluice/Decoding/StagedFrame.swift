internal import ByteStreams
internal import DequeModule
internal import Synchronization
internal import ZstdCodec

/// One frame, decoded on several cores: helpers decode its blocks into sequences, batch by batch, and the thread that
/// has the frame executes these in order. When there is nothing to execute it decodes too.
struct StagedFrame: ~Copyable {
    /// A batch, for one thread at a time.
    private final class Batch: Sendable {
        let blocks: Mutex<BlockBatch>

        init() throws(CodecFailure) { blocks = Mutex(try BlockBatch()) }

        /// Whether it is decoded, and no thread has it.
        var isReady: Bool { blocks.withLockIfAvailable { $0.isDecoded } ?? false }

        func decode(with tables: borrowing BlockTables) { blocks.withLock { $0.decode(with: tables) } }
    }

    private static let mostBatches = 12
    /// Bytes of content that leave together: smaller outputs would wake threads more often.
    private static let outputSize = 4 * BlockBatch.contentSize
    private static let ringSize = (Frame.segmentCount + 1) * outputSize + BlockBatch.slack
    /// The most bytes that one takes, without its window.
    static let memory = mostBatches * BlockBatch.memory + ringSize

    private let stages: Stages
    private let ring: ContentRing
    private var history: BlockHistory
    private let tables: BlockTables
    /// Batches for any thread to decode.
    private let undecoded = WorkQueue<Batch>()
    /// Batches to be executed, in the order of the frame.
    private var waiting: Deque<Batch> = []
    private var free: [Batch] = []
    /// The batch that takes the next blocks.
    private var filling: Batch?
    private var hasLast = false

    /// Nil if there is not enough memory.
    init?(_ header: FrameHeader, in stages: Stages) {
        guard let ring = ContentRing(window: header.windowSize, regions: Self.ringSize),
            let tables = try? BlockTables(), let batches = try? (0..<Self.mostBatches).map({ _ in try Batch() })
        else { return nil }
        self.tables = tables
        (free, self.stages, self.ring, history) = (batches, stages, ring, BlockHistory(header))
        // Helpers that can't be started are not needed: this thread decodes too.
        for _ in 0..<stages.helpers { try? startThread { [undecoded] in Self.help(undecoded) } }
    }

    deinit {
        undecoded.cancel()
        stages.end()
    }

    /// Bytes of content so far.
    var produced: UInt64 { history.produced }
    /// Whether all of it was executed.
    var isDone: Bool { hasLast && waiting.isEmpty }

    /// Memory for the output of the next step; waits until it is free.
    func makeOutput() -> OutputBuffer {
        OutputBuffer(in: ring, at: produced, count: Self.outputSize + BlockBatch.slack)
    }

    /// Decodes until the output is full, or more of the frame is needed.
    ///
    /// - Parameters:
    ///   - segment: bytes of the frame; on return, those that are not taken yet.
    ///   - isEnd: whether no bytes follow.
    ///   - output: the last result of `makeOutput`.
    /// - Returns: the bytes of content; nil if a block is refused: then libzstd decides.
    mutating func step(
        _ segment: inout UnsafeRawBufferPointer, isEnd: Bool, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var written = 0
        while written + BlockBatch.contentSize <= Self.outputSize {
            fill(&segment, isEnd: isEnd)
            guard let oldest = waiting.first else { break }
            // This may be the end of the content, which leaves only when the checksum behind it is right.
            if waiting.count == 1, !isEnd { break }
            if oldest.isReady {
                guard let count = execute(oldest, into: .init(rebasing: output[written...])) else { return nil }
                written += count
            } else if segment.isEmpty, !isEnd {
                break
            } else {
                (undecoded.popIfAny() ?? oldest).decode(with: tables)
            }
        }
        return written
    }

    /// Takes blocks, as long as there are free batches.
    private mutating func fill(_ segment: inout UnsafeRawBufferPointer, isEnd: Bool) {
        while !hasLast, !segment.isEmpty || isEnd {
            if filling == nil {
                guard !segment.isEmpty, let next = free.popLast() else { return }
                next.blocks.withLock { $0.begin(&history) }
                filling = next
            }
            guard let batch = filling else { return }
            let isFull = batch.blocks.withLock { $0.fill(&segment, &history) }
            guard isFull || isEnd else { return }
            let isEmpty: Bool
            (hasLast, isEmpty) = batch.blocks.withLock { blocks in
                blocks.finish()
                return (blocks.hasLast, blocks.isEmpty)
            }
            filling = nil
            if isEmpty {
                free.append(batch)
            } else {
                waiting.append(batch)
                undecoded.push(batch)
            }
        }
        // Drops the checksum behind the last block.
        if hasLast { segment = UnsafeRawBufferPointer(rebasing: segment.suffix(0)) }
    }

    /// - Returns: bytes of content; nil if a block is refused.
    private mutating func execute(_ batch: Batch, into output: UnsafeMutableRawBufferPointer) -> Int? {
        waiting.removeFirst()
        free.append(batch)
        return batch.blocks.withLock { $0.execute(&history, into: output) }
    }

    /// Decodes batches until the frame is done.
    private static func help(_ undecoded: WorkQueue<Batch>) {
        // Without memory for tables the other threads do it all.
        guard let tables = try? BlockTables() else { return }
        while let batch = undecoded.pop() { batch.decode(with: tables) }
    }
}
