/// How an operation is run, whatever it does.
public struct RunOptions: Sendable {
    /// Workers, at least 1: as many as there are processors by default. Of all the runs of a process one each is its
    /// own; the others are shared, and there are as many of them as processors.
    public var threads = availableProcessors()
    /// Bytes per second that are read at most; nil for as many as come. Runs that have the same one share it.
    public var rateLimit: RateLimit?
    /// Makes a hash of the content on its way, for the summary.
    public var hash: HashFunction?
    /// Is told how far the run is.
    public var progress: RunProgress?
    /// Keeps what the run did, and what held it back.
    public var record: RunRecord?

    /// - Parameters:
    ///   - threads: workers, at least 1.
    ///   - progress: is told how far the run is.
    ///   - record: keeps what it did, and what held it back.
    public init(
        threads: Int = availableProcessors(), progress: RunProgress? = nil, record: RunRecord? = nil
    ) {
        self.threads = threads
        self.progress = progress
        self.record = record
    }

    /// The run of an operation with these options.
    func job(_ action: Action) -> Job {
        var job = Job(action, threads: threads, monitor: monitor(action.operation))
        job.crew = .shared
        job.hash = hash
        job.rateLimit = rateLimit
        // Nothing else reads a file but Dispatch.
        job.reading = .workers
        return job
    }

    private func monitor(_ operation: any Operation) -> Monitor? {
        let observers = progress.map { [$0.observe] } ?? []
        if let record {
            return record.begin(operation.contentSide, hasRateLimit: rateLimit != nil, others: observers)
        }
        return observers.isEmpty ? nil : Monitor(observers)
    }

    /// The run has ended.
    func end() {
        record?.end()
        progress?.end()
    }
}
