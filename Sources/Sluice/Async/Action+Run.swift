extension Action {
    /// Runs on threads of its own, while the caller is suspended, until everything is written.
    ///
    /// - Throws: the first failure; `cancelled`.
    func run(
        from input: RunInput, to output: RunOutput, _ options: RunOptions
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
        let job = options.job(self)
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
