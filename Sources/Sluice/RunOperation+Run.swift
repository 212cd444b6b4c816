internal import SluiceEngine

extension RunOperation {
    /// Runs on its own threads, while the caller is suspended, until everything is written.
    ///
    /// - Parameter latch: ends the run, from elsewhere.
    /// - Throws: the first failure; `cancelled`.
    func run(
        from input: RunInput, to output: RunOutput, _ options: RunOptions, latch: FailureLatch = FailureLatch()
    ) async throws(Failure) -> Summary {
        defer { options.end() }
        try options.check()
        try (self as? any CompressingOperation)?.compression.options.checkFrameSize()
        let takesTurns = input.isFile && output.isFile && !options.mayWait
        if takesTurns { try await AsyncSemaphore.ofFileRuns.take() }
        defer { if takesTurns { AsyncSemaphore.ofFileRuns.give() } }
        // Decided once: the output gets its name, or a cancelled caller goes on without it.
        let publishes = FirstOutcome<Bool>()
        let job = options.job(self)
        // An upload is ended before the caller goes on: a program that ends then would leave its parts.
        let mayLeave = { @Sendable in output.isObject ? false : !publishes.offer(false) }
        return try await CancellableThread.run(latch: latch, mayLeave: mayLeave) { latch throws(Failure) in
            defer { job.monitor?.threadDidEnd() }
            return try input.withSource(latch) { source throws(Failure) in
                let mayPublish = { publishes.offer(true) }
                return try output.withSink(
                    of: source.identity, by: self, latch, job.monitor, mayPublish: mayPublish
                ) { sink throws(Failure) in
                    try job.run(from: options.confirmed(source), to: sink, latch: latch)
                }
            }
        }
    }
}

extension Compression {
    /// Compresses on its own threads, while the caller is suspended, until everything is written.
    ///
    ///     let summary = try await Compression(level: 3).run(from: .file("dump.sql"), to: .file("dump.sql.zst"))
    ///
    /// No thread of Swift's or of Dispatch's waits, so hundreds of runs may be started at once. Runs from files to
    /// files take turns, one per processor at a time, unless `isComplete` or a rate limit may keep them waiting. All
    /// others begin at once, because they may depend on each other. A run waits only while cancelled ones have left as
    /// many workers behind as there are processors.
    ///
    /// A cancelled run ends within half a second: it leaves neither an output file nor a temporary one, and nothing
    /// more is written to a descriptor. A worker in the middle of a frame leaves it after 256 KiB of content at most;
    /// with a libzstd that would make other bytes then (1.5.7), it ends the frame first. Its result is dropped.
    /// One that makes an object of a store ends within three seconds, of which two are for the store.
    ///
    /// - Parameters:
    ///   - input: a file or a descriptor.
    ///   - output: a file, an object, a descriptor or nothing.
    ///   - options: threads, progress and the like.
    /// - Returns: a summary of the run.
    /// - Throws: the first failure: `cancelled`; `fileExists`, `notFound`, `missingDirectory` and `file` for the names
    ///   of files; `reading` and `writing` for their bytes; `invalidOption`, `outOfMemory`, `outOfThreads`,
    ///   `sourceShrank`, `verification`, `wrongSize`, `hash`; `remote` for the settings of object stores.
    @discardableResult
    public func run(
        from input: RunInput, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws(Failure) -> Summary {
        try await operation.run(from: input, to: output, options)
    }
}

extension Decompression {
    /// Decompresses Zstandard, gzip, xz, lzma or lz4, on its own threads, while the caller is suspended, until
    /// everything is written. To `.nothing`, it proves that the input is intact.
    ///
    ///     try await Decompression().run(from: .file("dump.sql.zst"), to: .file("dump.sql"))
    ///
    /// With `ranges`, only the frames of a file that hold them are read, and found as by ``CompressedFile``; of other
    /// input, everything up to the last byte that is needed is decoded, and the rest is not read.
    ///
    /// Threads, turns and cancellation are as for ``Compression``.
    ///
    /// - Parameters:
    ///   - input: a file or a descriptor.
    ///   - output: a file, an object, a descriptor or nothing.
    ///   - options: threads, progress and the like.
    /// - Returns: a summary of the run.
    /// - Throws: the first failure: `cancelled`; `fileExists`, `notFound`, `missingDirectory` and `file` for the names
    ///   of files; `reading` and `writing` for their bytes; `truncated`, `corrupt`, `unsupportedFormat`, `dictionary`
    ///   and `windowTooLarge` for what the input holds; `outOfMemory`, `outOfThreads`, `sourceShrank`, `hash`; for
    ///   ranges, `outOfRange`, `notSeekable`, `wrongIndex`, `notAnIndex`.
    @discardableResult
    public func run(
        from input: RunInput, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws(Failure) -> Summary {
        try await operation.run(from: input, to: output, options)
    }
}
