internal import SluiceEngine

extension CompressionOptions {
    /// - Throws: `invalidOption`.
    func checkFrameSize() throws(Failure) {
        guard let frameSize, !Self.frameSizes.contains(frameSize) else { return }
        let (least, most) = (Self.frameSizes.lowerBound, Self.frameSizes.upperBound)
        throw Failure(.invalidOption, "frameSize is \(frameSize): \(least) to \(most) bytes, or nil for the level's")
    }
}

/// The options of a run that do not depend on its operation.
///
///     let options = RunOptions(threads: 2, hash: try HashFunction("sha256"))
///     let summary = try await Compression().run(from: .file("a"), to: .file("a.zst"), options: options)
///     print(summary.contentHash ?? "")
public struct RunOptions: Sendable {
    /// Workers, at least 1; more than 1024 count as 1024. Each run has one to itself. All runs of a process share the
    /// others, of which there are as many as processors.
    ///
    /// Nil for one on each processor that the process may use: its affinity and its CPU quota limit them.
    public var threads: Int?
    /// Limits the bytes that are read per second; nil for no limit. Runs with the same object share its rate.
    public var rateLimit: RateLimit?
    /// The hash of the content to compute, for `Summary.contentHash`; nil for none.
    public var hash: HashFunction?
    /// Says whether the input was complete, such as whether a client has sent as much as it announced. It is asked
    /// once, after the last byte was read and before the output is ended, on the run's own thread, and may wait. If it
    /// returns false or throws, the run fails with `incompleteInput`, no file gets its name, and a stream to a
    /// descriptor has no end. Nil to believe the end of the input. A decompression of ranges need not read up to the
    /// end, and does not ask then.
    public var isComplete: (@Sendable () throws -> Bool)?
    /// Receives the progress of the run; nil to report none.
    public var progress: RunProgress?
    /// Records what the run did, and what limited it; nil for no record.
    public var record: RunRecord?

    /// Creates options, each with its default.
    ///
    /// - Parameters:
    ///   - threads: workers, at least 1; nil for as many as there are processors.
    ///   - rateLimit: limits the bytes that are read per second; nil for no limit.
    ///   - hash: the hash of the content to compute; nil for none.
    ///   - isComplete: says at the end of the input whether it was complete; nil to believe it.
    ///   - progress: receives the progress of the run.
    ///   - record: records what the run did, and what limited it.
    public init(
        threads: Int? = nil, rateLimit: RateLimit? = nil, hash: HashFunction? = nil,
        isComplete: (@Sendable () throws -> Bool)? = nil, progress: RunProgress? = nil, record: RunRecord? = nil
    ) {
        (self.threads, self.rateLimit, self.hash) = (threads, rateLimit, hash)
        (self.isComplete, self.progress, self.record) = (isComplete, progress, record)
    }

    /// - Throws: `invalidOption`.
    func check() throws(Failure) { try Self.check(threads: threads) }

    static func check(threads: Int?) throws(Failure) {
        if let threads, threads < 1 {
            throw Failure(.invalidOption, "threads is \(threads): at least 1, or nil for one on each processor")
        }
    }

    /// Whether a run may wait for something besides its files, such as for another run.
    var mayWait: Bool { rateLimit != nil || isComplete != nil }

    /// The run of an operation with these options.
    func job(_ operation: any RunOperation) -> Job {
        let observers = progress.map { [$0.observe] } ?? []
        let monitor =
            record?.begin(operation.contentSide, hasRateLimit: rateLimit != nil, others: observers)
            ?? (observers.isEmpty ? nil : Monitor(observers))
        var job = Job(operation, threads: Job.threads(threads), monitor: monitor)
        job.workerPool = .shared
        job.hash = hash
        job.rateLimit = rateLimit
        // Otherwise only Dispatch would read files.
        job.reading = .workers
        return job
    }

    /// The source that asks `isComplete` at its end.
    func confirmed(_ source: Source) throws(Failure) -> Source {
        guard let isComplete else { return source }
        let reader = ConfirmedSource(try source.open()) { () throws(Failure) in
            do {
                if try isComplete() { return }
            } catch {
                throw .incompleteInput("the input is incomplete: \(error)", cause: error)
            }
            throw .incompleteInput("the input is incomplete")
        }
        return source.read(by: reader)
    }

    /// Ends progress and record, when the run has ended.
    func end() {
        record?.end()
        progress?.end()
    }
}
