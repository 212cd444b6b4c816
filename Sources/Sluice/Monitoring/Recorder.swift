internal import Synchronization

/// Collects the numbers for the statistics of a run, or of several runs in sequence.
///
/// Each stage has a lock of its own, which is taken once for each chunk and almost never contended.
package final class Recorder: Sendable {
    private let stages: [Locked<StageRecord>]
    private let lanes = Atomic(0)
    private let start: UInt64

    /// - Parameter start: of the monotonic clock, in nanoseconds (`Span.now`).
    package init(start: UInt64 = Span.now()) {
        self.start = start
        stages = Span.Stage.allCases.map { _ in Locked(StageRecord()) }
    }

    package func observe(_ span: Span) {
        stages[span.stage.rawValue].withLock { $0.record(span) }
        if let lane = span.lane, lane >= lanes.load(ordering: .relaxed) {
            _ = lanes.max(lane + 1, ordering: .relaxed)
        }
    }

    /// How many workers had work.
    var workers: Int { lanes.load(ordering: .relaxed) }
    /// Seconds since the start.
    var elapsed: Double { Double(Span.now() - start) / 1e9 }

    func record(of stage: Span.Stage) -> StageRecord { stages[stage.rawValue].withLock { $0 } }
}
