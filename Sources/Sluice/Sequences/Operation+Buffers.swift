extension Operation {
    /// The same as `run(from:to:_:)` for the buffers of a sequence.
    ///
    /// - Throws: the first failure, or the error of the sequence.
    func run<Buffers: AsyncSequence & Sendable>(
        from buffers: Buffers, to output: RunOutput, _ options: RunOptions
    ) async throws -> Summary where Buffers.Element: Collection<UInt8> {
        let (source, latch, thrown) = (BufferSource(), FailureLatch(), Locked<(any Error)?>(nil))
        let feeding = Task {
            do { try await source.fill(from: buffers) } catch {
                // The failure of the run is only a consequence.
                thrown.withLock { $0 = error }
                latch.fail(.cancelled)
            }
        }
        defer {
            // The sequence need not go on.
            source.cancel()
            feeding.cancel()
        }
        do throws(Failure) {
            return try await run(from: RunInput(place: .bytes(source)), to: output, options, latch: latch)
        } catch {
            throw thrown.withLock { $0 } ?? error
        }
    }
}

extension Compression {
    /// Compresses the buffers of a sequence, such as the body of a request, in the same way.
    ///
    ///     try await Compression().run(from: request.body, to: .file("upload.zst"))
    ///
    /// The run takes no more of the sequence than it has room for. If the sequence throws, or the Task is cancelled,
    /// there is no file.
    ///
    /// - Parameters:
    ///   - buffers: collections of bytes: arrays, slices, `Data`, or the `readableBytesView` of a `ByteBuffer`.
    ///   - output: where the result goes.
    ///   - options: threads, progress and the like.
    /// - Returns: a summary of the run.
    /// - Throws: the first failure, or the error of the sequence.
    @discardableResult
    public func run<Buffers: AsyncSequence & Sendable>(
        from buffers: Buffers, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws -> Summary where Buffers.Element: Collection<UInt8> {
        try await operation.run(from: buffers, to: output, options)
    }
}

extension Decompression {
    /// Decompresses the buffers of a sequence, such as the body of a response, in the same way.
    ///
    /// - Parameters:
    ///   - buffers: collections of bytes: arrays, slices, `Data`, or the `readableBytesView` of a `ByteBuffer`.
    ///   - output: where the result goes.
    ///   - options: threads, progress and the like.
    /// - Returns: a summary of the run.
    /// - Throws: the first failure, or the error of the sequence.
    @discardableResult
    public func run<Buffers: AsyncSequence & Sendable>(
        from buffers: Buffers, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws -> Summary where Buffers.Element: Collection<UInt8> {
        try await operation.run(from: buffers, to: output, options)
    }
}
