/// An operation on data: ``Compression``, ``Decompression``, and every ``Action``.
///
///     let summary = try await Compression(level: 3).run(from: .file("dump.sql"), to: .file("dump.sql.zst"))
public protocol Transformation: Sendable {
    /// The operation of a run.
    var action: Action { get }
}

extension Transformation {
    /// Runs on threads of its own, while the caller is suspended, until everything is written.
    ///
    /// No thread of Swift's or of Dispatch's waits, so hundreds of runs may be started at once. Runs from files to
    /// files take turns: as many go on at once as there are processors. All others begin at once, because they may
    /// depend on each other.
    ///
    /// A cancelled run ends within half a second: there is no output file, nor one beside it, and nothing more is
    /// written to a descriptor. A worker in the middle of a frame ends that first, and its result is dropped.
    ///
    /// - Returns: a summary of the run.
    /// - Throws: the first failure; `cancelled`.
    @discardableResult
    public func run(
        from input: RunInput, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws(Failure) -> Summary {
        defer { options.end() }
        let latch = FailureLatch()
        guard input.isFile, output.isFile else { return try await begin(from: input, to: output, options, latch) }
        try await Turns.ofFiles.take()
        defer { Turns.ofFiles.give() }
        return try await begin(from: input, to: output, options, latch)
    }

    /// Runs at once, on a thread of its own.
    func begin(
        from input: RunInput, to output: RunOutput, _ options: RunOptions, _ latch: FailureLatch
    ) async throws(Failure) -> Summary {
        // Whether the output gets its name, and its cancelled caller does not go on without it.
        let publishes = FirstOutcome<Bool>()
        let job = options.job(action)
        let mayLeave = { @Sendable in !publishes.offer(false) }
        return try await FirstOutcome.onThread(latch: latch, mayLeave: mayLeave) { () throws(Failure) in
            defer { job.monitor?.threadDidEnd() }
            return try input.withSource { source throws(Failure) in
                let mayPublish = { publishes.offer(true) }
                return try output.withSink(job.monitor, mayPublish: mayPublish) { sink throws(Failure) in
                    try job.run(from: source, to: sink, latch: latch)
                }
            }
        }
    }
}

extension Action: Transformation {
    /// Itself.
    public var action: Action { self }
}

extension Compression: Transformation {
    /// The operation of a run.
    public var action: Action { Action(operation: self) }
}

extension Decompression: Transformation {
    /// The operation of a run.
    public var action: Action { Action(operation: self) }
}
