internal import Synchronization

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
