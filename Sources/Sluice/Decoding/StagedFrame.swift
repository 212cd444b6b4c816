internal import ByteStreams
internal import DequeModule
internal import Synchronization
internal import ZstdCodec

/// One frame, decoded on several cores: some of them read what its blocks say, batch by batch, and the one that has the
/// frame carries it out, in their order. When there is nothing to carry out it reads too.
struct StagedFrame: ~Copyable {
    /// A batch, which one thread at a time has.
    private final class Batch: Sendable {
        let blocks: Mutex<BlockBatch>

        init() throws(CodecFailure) { blocks = Mutex(try BlockBatch()) }

        /// Whether it was decoded, and nobody has it.
        var isReady: Bool { blocks.withLockIfAvailable { $0.isDecoded } ?? false }

        func decode(with tables: borrowing BlockTables) {
            blocks.withLock { $0.decode(with: tables) }
        }
    }

    private static let mostBatches = 12
    /// Bytes of content that leave together: whoever takes less is woken more often.
    private static let pieceSize = 4 * BlockBatch.contentSize
    private static let ringPieces = (Frame.segmentCount + 1) * pieceSize + BlockBatch.slack
    /// Bytes that one takes at most, but for its window.
    static let memory = mostBatches * BlockBatch.memory + ringPieces

    private let stages: Stages
    private let ring: ContentRing
    private var history: BlockHistory
    private let tables: BlockTables
    /// Those that were not decoded yet, for everybody.
    private let undecoded = WorkQueue<Batch>()
    /// Those that were not carried out yet, in the order of the frame.
    private var waiting: Deque<Batch> = []
    private var free: [Batch] = []
    /// The one that takes what comes.
    private var filling: Batch?
    private var hasLast = false

    /// - Returns: nil if there is no memory for it.
    init?(_ header: FrameHeader, in stages: Stages) {
        guard let ring = ContentRing(window: header.windowSize, regions: Self.ringPieces),
            let tables = try? BlockTables(), let batches = try? (0..<Self.mostBatches).map({ _ in try Batch() })
        else { return nil }
        self.tables = tables
        (free, self.stages, self.ring, history) = (batches, stages, ring, BlockHistory(header))
        // Whoever can't be started is not needed: the one that has the frame reads too.
        for _ in 0..<stages.helpers { try? startThread { [undecoded] in Self.help(undecoded) } }
    }

    deinit {
        undecoded.cancel()
        stages.end()
    }

    /// Bytes of content so far.
    var produced: UInt64 { history.produced }
    /// Whether all of it was carried out.
    var isDone: Bool { hasLast && waiting.isEmpty }

    /// Room for what comes next; waits until it is free.
    func makeOutput() -> OutputBuffer {
        OutputBuffer(in: ring, at: produced, count: Self.pieceSize + BlockBatch.slack)
    }

    /// Goes on until the output is full, or more of the frame is needed.
    ///
    /// - Parameters:
    ///   - part: bytes of the frame; on return, what was not taken yet.
    ///   - isEnd: whether nothing comes after it.
    ///   - output: what `makeOutput` made last.
    /// - Returns: the bytes of content; nil if a block is refused: libzstd has the last word.
    mutating func step(
        _ part: inout UnsafeRawBufferPointer, isEnd: Bool, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var written = 0
        while written + BlockBatch.contentSize <= Self.pieceSize {
            fill(&part, isEnd: isEnd)
            guard let oldest = waiting.first else { break }
            // This may be the end of the content, which leaves when the checksum behind it is right.
            if waiting.count == 1, !isEnd { break }
            if oldest.isReady {
                guard let count = execute(oldest, into: .init(rebasing: output[written...])) else { return nil }
                written += count
            } else if part.isEmpty, !isEnd {
                break
            } else {
                (undecoded.popIfAny() ?? oldest).decode(with: tables)
            }
        }
        return written
    }

    /// Takes what comes, as long as there is a batch for it.
    private mutating func fill(_ part: inout UnsafeRawBufferPointer, isEnd: Bool) {
        while !hasLast, !part.isEmpty || isEnd {
            if filling == nil {
                guard !part.isEmpty, let next = free.popLast() else { return }
                next.blocks.withLock { $0.begin(&history) }
                filling = next
            }
            guard let batch = filling else { return }
            let isFull = batch.blocks.withLock { $0.fill(&part, &history) }
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
        // Behind the last block.
        if hasLast { part = UnsafeRawBufferPointer(rebasing: part.suffix(0)) }
    }

    /// - Returns: bytes of content; nil if a block is refused.
    private mutating func execute(_ batch: Batch, into output: UnsafeMutableRawBufferPointer) -> Int? {
        waiting.removeFirst()
        free.append(batch)
        return batch.blocks.withLock { $0.execute(&history, into: output) }
    }

    /// Decodes what there is until the frame is done.
    private static func help(_ undecoded: WorkQueue<Batch>) {
        // Without tables there is one who does it all.
        guard let tables = try? BlockTables() else { return }
        while let batch = undecoded.pop() { batch.decode(with: tables) }
    }
}
