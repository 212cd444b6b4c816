internal import Synchronization

/// Keeps the numbers of a run, or of several one after another, from which its statistics are made.
///
/// One lock for each stage, taken once for each chunk and almost never contended.
package final class Recorder: Sendable {
    private let stages: [Locked<StageRecord>]
    private let timeline: Locked<Timeline>?
    private let lanes = Atomic(0)
    private let start = Span.now()

    /// - Parameter keepsTimeline: whether to keep what a report draws, too.
    package init(keepsTimeline: Bool) {
        stages = Span.Stage.allCases.map { _ in Locked(StageRecord()) }
        timeline = keepsTimeline ? Locked(Timeline(start: start)) : nil
    }

    /// Takes note of what a stage did.
    package func observe(_ span: Span) {
        stages[span.stage.rawValue].value.withLock { $0.record(span) }
        if let lane = span.lane, lane >= lanes.load(ordering: .relaxed) {
            _ = lanes.max(lane + 1, ordering: .relaxed)
        }
        timeline?.value.withLock { $0.record(span) }
    }

    /// Workers that had something to do.
    var workers: Int { lanes.load(ordering: .relaxed) }
    /// Seconds since the recorder was made.
    var elapsed: Double { Double(Span.now() - start) / 1e9 }

    func record(of stage: Span.Stage) -> StageRecord { stages[stage.rawValue].value.withLock { $0 } }

    /// What a report draws, if it was asked for.
    package var drawing: Timeline? { timeline?.value.withLock { $0 } }
}

/// A value behind a lock, as a reference: a `Mutex` can't be an element or an optional.
private final class Locked<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}
