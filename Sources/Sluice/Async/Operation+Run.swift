extension Operation {
    /// Runs on threads of its own, while the caller is suspended, until everything is written.
    ///
    /// - Parameter latch: ends the run, from elsewhere.
    /// - Throws: the first failure; `cancelled`.
    func run(
        from input: RunInput, to output: RunOutput, _ options: RunOptions, latch: FailureLatch = FailureLatch()
    ) async throws(Failure) -> Summary {
        defer { options.end() }
        let takesTurns = input.isFile && output.isFile
        if takesTurns { try await Turns.ofFiles.take() }
        defer { if takesTurns { Turns.ofFiles.give() } }
        // Whether the output gets its name, and its cancelled caller does not go on without it.
        let publishes = FirstOutcome<Bool>()
        let job = options.job(self)
        let mayLeave = { @Sendable in !publishes.offer(false) }
        return try await FirstOutcome.onThread(latch: latch, mayLeave: mayLeave) { latch throws(Failure) in
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
