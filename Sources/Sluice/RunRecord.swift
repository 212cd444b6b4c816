internal import SluiceEngine
internal import Synchronization

/// Records what a run did, and what limited it, to be read during the run or after it.
///
///     let record = RunRecord()
///     try await Compression().run(from: input, to: output, options: RunOptions(record: record))
///     let cause = record.statistics.limitedBy
///
/// An instance is for one run. Recording costs a few looks at the clock for each chunk.
public final class RunRecord: Sendable {
    private let tell = Mutex<@Sendable () -> RunStatistics>({ RunStatistics() })

    /// Creates an instance to be passed to one run, in its ``RunOptions``.
    public init() {}

    /// The statistics of the run so far.
    public var statistics: RunStatistics { tell.withLock { $0() } }

    /// Starts the record.
    ///
    /// - Returns: receives the spans of the run, and passes them on to others.
    func begin(_ content: Activity.Content, hasRateLimit: Bool, others: [SpanObserver]) -> Monitor {
        let recorder = Recorder()
        let monitor = Monitor(others + [recorder.observe])
        tell.withLock {
            $0 = { RunStatistics(recorder, monitor, content: content, hasRateLimit: hasRateLimit) }
        }
        return monitor
    }

    /// Keeps the statistics of the whole run.
    func end() {
        tell.withLock { tell in
            let statistics = tell()
            tell = { statistics }
        }
    }
}
