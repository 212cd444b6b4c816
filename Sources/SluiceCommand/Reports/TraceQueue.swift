import Sluice

/// The spans that wait until they are written to a trace: so many at most. What finds no room is dropped and counted,
/// for to wait for the trace's disk would slow the run down, and show in the trace what would not be there without it.
struct TraceQueue {
    /// Spans that were dropped one after another.
    struct Gap: Equatable, Sendable {
        /// When the first of them began, in nanoseconds of the monotonic clock.
        let start: UInt64
        var count: Int
    }

    /// Spans that are written together.
    struct Batch: Sendable {
        /// What was dropped before them.
        var gap: Gap?
        var spans: [Span] = []
    }

    private let batchSize: Int
    private let mostBatches: Int
    private var next = Batch()
    /// What was dropped since the next batch is full.
    private var gap: Gap?
    /// Batches that were handed on, and are not written yet.
    private var waiting = 0
    /// Spans that were dropped until now.
    private(set) var dropped = 0

    /// - Parameters:
    ///   - batchSize: spans that are handed on together: each time may wake a thread.
    ///   - mostBatches: those that may wait to be written. With those that are there if nothing is said, about 4 MiB
    ///     wait.
    init(batchSize: Int = 256, mostBatches: Int = 256) {
        precondition(batchSize > 0 && mostBatches > 0)
        self.batchSize = batchSize
        self.mostBatches = mostBatches
    }

    /// Takes a span, or drops it.
    ///
    /// - Returns: a batch that is now to be written.
    mutating func add(_ span: Span) -> Batch? {
        let hasRoom = waiting < mostBatches
        if next.spans.count < batchSize {
            next.spans.append(span)
            return hasRoom && next.spans.count == batchSize ? handOn() : nil
        }
        guard hasRoom else {
            dropped += 1
            gap = Gap(start: gap?.start ?? span.start, count: (gap?.count ?? 0) + 1)
            return nil
        }
        let batch = handOn()
        next.spans.append(span)
        return batch
    }

    /// Takes note that a batch is written: there is room for another.
    mutating func didWrite() { waiting -= 1 }

    /// What is left at the end.
    mutating func takeRest() -> [Batch] {
        // After the last spans there may be a gap, which is in a batch of its own.
        [handOn(), handOn()]
    }

    private mutating func handOn() -> Batch {
        defer {
            next = Batch(gap: gap)
            gap = nil
            waiting += 1
        }
        return next
    }
}
