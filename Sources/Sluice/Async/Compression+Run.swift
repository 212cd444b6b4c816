extension Compression {
    /// Compresses on threads of its own, while the caller is suspended, until everything is written.
    ///
    ///     let summary = try await Compression(level: 3).run(from: .file("dump.sql"), to: .file("dump.sql.zst"))
    ///
    /// No thread of Swift's or of Dispatch's waits, so hundreds of runs may be started at once. Runs from files to
    /// files take turns: as many go on at once as there are processors. All others begin at once, because they may
    /// depend on each other.
    ///
    /// A cancelled run ends within half a second: there is no output file, nor one beside it, and nothing more is
    /// written to a descriptor. A worker in the middle of a frame ends that first, and its result is dropped.
    ///
    /// - Parameters:
    ///   - input: a file or a descriptor.
    ///   - output: a file, a descriptor or nothing.
    ///   - options: threads, progress and the like.
    /// - Returns: a summary of the run.
    /// - Throws: the first failure: `cancelled`; `fileExists`, `notFound`, `missingDirectory` and `file` for the names
    ///   of files; `reading` and `writing` for their bytes; `invalidOption`, `outOfMemory`, `outOfThreads`,
    ///   `sourceShrank`, `verification`, `wrongSize`, `hash`.
    @discardableResult
    public func run(
        from input: RunInput, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws(Failure) -> Summary {
        try await operation.run(from: input, to: output, options)
    }
}
