internal import Synchronization
internal import SystemPackage

/// A run between a sequence of buffers and who takes what they become: a Task that feeds it, and a thread of its own.
final class BufferRun: Sendable {
    private let source = BufferSource()
    private let drain = BufferDrain()
    private let latch = FailureLatch()
    /// Runs once, with the first `next`.
    private let begin: Mutex<(@Sendable () -> Task<Void, Never>)?>
    private let feeding = Mutex<Task<Void, Never>?>(nil)

    init<Base: AsyncSequence & Sendable>(_ base: Base, _ action: Action, _ options: RunOptions)
    where Base.Element: BytesConvertible {
        begin = Mutex { [source, drain, latch] in
            Self.start(options.job(action), source, drain, latch, options)
            return Task {
                do {
                    try await source.fill(from: base)
                } catch {
                    // Before the run ends, which has no other reason for it.
                    drain.end(.failure(error))
                    latch.fail(.cancelled)
                }
            }
        }
    }

    deinit { stop() }

    /// Waits for the next bytes; nil at the end.
    func next() async throws -> Bytes? {
        if let begin = begin.withLock({ $0.take() }) {
            let task = begin()
            feeding.withLock { $0 = task }
        }
        return try await withTaskCancellationHandler {
            try await drain.next()
        } onCancel: {
            stop()
        }
    }

    /// Ends the run: what was not taken yet never will be.
    private func stop() {
        drain.end(.failure(Failure.cancelled))
        latch.fail(.cancelled)
        feeding.withLock { $0?.cancel() }
    }

    private static func start(
        _ job: Job, _ source: BufferSource, _ drain: BufferDrain, _ latch: FailureLatch, _ options: RunOptions
    ) {
        do throws(Errno) {
            try startThread {
                let outcome = Result { () throws(Failure) in
                    _ = try job.run(from: Source(source), to: Sink(drain), latch: latch)
                }
                job.monitor?.threadDidEnd()
                // Before the last `next` returns: who asks then gets all of it.
                options.end()
                drain.end(outcome.mapError { $0 })
                // Whoever feeds it need not go on.
                source.cancel()
            }
        } catch {
            options.end()
            drain.end(.failure(Failure.outOfThreads(error)))
        }
    }
}
