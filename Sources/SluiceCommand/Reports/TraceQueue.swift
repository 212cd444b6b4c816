import Sluice

/// A bounded queue of spans to be written to a trace. Spans that don't fit are dropped and counted, because waiting for
/// the trace's disk would slow the run down, and distort the trace.
struct TraceQueue {
    /// Consecutive spans that were dropped.
    struct Gap: Equatable, Sendable {
        /// When the first of them began, in nanoseconds of the monotonic clock.
        let start: UInt64
        var count: Int
    }

    /// Spans that are written together.
    struct Batch: Sendable {
        var spans: [Span] = []
        /// The spans dropped after these.
        var gap: Gap?
    }

    private let batchSize: Int
    private let mostBatches: Int
    private var next = Batch()
    /// Batches that are handed on but not yet written.
    private var waiting = 0
    /// Spans dropped so far.
    private(set) var dropped = 0

    /// - Parameters:
    ///   - batchSize: spans that are handed on together, because each time may wake a thread.
    ///   - mostBatches: batches that may wait to be written. With the defaults about 4 MiB wait.
    init(batchSize: Int = 256, mostBatches: Int = 256) {
        precondition(batchSize > 0 && mostBatches > 0)
        self.batchSize = batchSize
        self.mostBatches = mostBatches
    }

    /// Adds a span, or drops it.
    ///
    /// - Returns: a batch to write now; nil for none.
    mutating func add(_ span: Span) -> Batch? {
        let hasRoom = waiting < mostBatches
        if next.spans.count < batchSize {
            next.spans.append(span)
            return hasRoom && next.spans.count == batchSize ? handOn() : nil
        }
        guard hasRoom else {
            dropped += 1
            next.gap = Gap(start: next.gap?.start ?? span.start, count: (next.gap?.count ?? 0) + 1)
            return nil
        }
        let batch = handOn()
        next.spans.append(span)
        return batch
    }

    /// Makes room for another batch after one was written.
    mutating func didWrite() { waiting -= 1 }

    /// Returns what has been added since the last batch.
    mutating func handOn() -> Batch {
        defer {
            next = Batch()
            waiting += 1
        }
        return next
    }
}
