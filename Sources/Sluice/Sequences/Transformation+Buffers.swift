extension Transformation {
    /// The same as `run(from:to:options:)` for the buffers of a sequence, such as the body of a request.
    ///
    ///     try await Compression().run(from: request.body, to: .file("upload.zst"))
    ///
    /// The run takes no more of the sequence than it has room for. If the sequence throws, or the Task is cancelled,
    /// there is no file.
    ///
    /// - Throws: the first failure, or the error of the sequence.
    @discardableResult
    public func run<Buffers: AsyncSequence & Sendable>(
        from buffers: Buffers, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws -> Summary where Buffers.Element: BytesConvertible {
        let (source, latch, thrown) = (BufferSource(), FailureLatch(), Locked<(any Error)?>(nil))
        let feeding = Task {
            do { try await source.fill(from: buffers) } catch {
                thrown.withLock { $0 = error }
                latch.fail(.cancelled)
            }
        }
        defer {
            feeding.cancel()
            options.end()
        }
        do throws(Failure) {
            return try await begin(from: RunInput(place: .bytes(source)), to: output, options, latch)
        } catch {
            // The sequence need not go on.
            source.cancel()
            throw thrown.withLock { $0 } ?? error
        }
    }
}
