internal import SluiceEngine
internal import Synchronization

extension RunOperation {
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

/// A run whose output a Task takes. It begins with the first `next`.
final class BufferRun: Sendable {
    private let sink = BufferSink()
    private let body: @Sendable (BufferSink) async throws -> Void
    /// Nil before the run begins.
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter body: hands the sink everything; its error ends the output.
    init(_ body: @escaping @Sendable (BufferSink) async throws -> Void) { self.body = body }

    deinit { stop() }

    /// Waits for the next bytes; nil at the end.
    func next() async throws -> Bytes? {
        task.withLock { $0 = $0 ?? begin() }
        return try await withTaskCancellationHandler {
            try await sink.next()
        } onCancel: {
            stop()
        }
    }

    private func begin() -> Task<Void, Never> {
        // The Task must not keep this object, because dropping it ends the run.
        Task { [sink, body] in
            do {
                try await body(sink)
                sink.end(.success(()))
            } catch {
                sink.end(.failure(error))
            }
        }
    }

    /// Ends the run, and drops its output.
    private func stop() {
        sink.end(.failure(Failure.cancelled))
        task.withLock { $0 }?.cancel()
    }
}
