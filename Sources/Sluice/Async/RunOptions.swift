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

    /// - Parameters:
    ///   - threads: workers, at least 1.
    ///   - progress: is told how far the run is.
    public init(threads: Int = availableProcessors(), progress: RunProgress? = nil) {
        self.threads = threads
        self.progress = progress
    }

    /// The run of an operation with these options.
    func job(_ action: Action) -> Job {
        var job = Job(action, threads: threads, monitor: progress.map { Monitor([$0.observe]) })
        job.crew = .shared
        job.hash = hash
        job.rateLimit = rateLimit
        // Nothing else reads a file but Dispatch.
        job.reading = .workers
        return job
    }
}
