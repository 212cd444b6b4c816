internal import Synchronization

/// Keeps what a run did, and what held it back, for whoever asks: afterwards, or while it goes on.
///
///     let record = RunRecord()
///     try await Compression().run(from: input, to: output, options: RunOptions(record: record))
///     let cause = record.statistics.limitedBy
///
/// It is for one run, however that ends. A run that has one looks at the clock some times more for each piece of its
/// data.
public final class RunRecord: Sendable {
    private struct Run {
        let recorder: Recorder
        let monitor: Monitor
        let content: Statistics.Activity.Content
        let hasRateLimit: Bool

        var statistics: RunStatistics {
            RunStatistics(recorder, monitor, content: content, hasRateLimit: hasRateLimit)
        }
    }

    private enum State {
        case before
        case during(Run)
        case ended(RunStatistics)
    }

    private let state = Mutex(State.before)

    /// For one run.
    public init() {}

    /// What the run did until now; when it has ended, all that it did.
    public var statistics: RunStatistics {
        state.withLock { state in
            switch state {
            case .before: RunStatistics()
            case .during(let run): run.statistics
            case .ended(let statistics): statistics
            }
        }
    }

    /// The run begins.
    ///
    /// - Returns: what has to be told of it, which tells others, too.
    func begin(
        _ content: Statistics.Activity.Content, hasRateLimit: Bool, others: [SpanObserver]
    ) -> Monitor {
        let recorder = Recorder(keepsTimeline: false)
        let monitor = Monitor(others + [recorder.observe])
        let run = Run(recorder: recorder, monitor: monitor, content: content, hasRateLimit: hasRateLimit)
        state.withLock { $0 = .during(run) }
        return monitor
    }

    /// The run has ended.
    func end() {
        state.withLock { state in
            if case .during(let run) = state { state = .ended(run.statistics) }
        }
    }
}
