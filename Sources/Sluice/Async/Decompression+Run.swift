extension Decompression {
    /// Decompresses Zstandard, gzip, xz, lzma or lz4, on threads of its own, while the caller is suspended, until
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
    ///   - output: a file, a descriptor or nothing.
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
