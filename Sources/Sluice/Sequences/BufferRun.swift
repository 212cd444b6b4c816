internal import Synchronization
internal import SystemPackage

/// A run between a sequence of buffers and who takes what they become: a Task that feeds it, and a thread of its own.
final class BufferRun: Sendable {
    private let source = BufferSource()
    private let sink = BufferSink()
    private let latch = FailureLatch()
    /// Runs once, with the first `next`.
    private let begin: Mutex<(@Sendable () -> Task<Void, Never>)?>
    private let feeding = Mutex<Task<Void, Never>?>(nil)

    init<Base: AsyncSequence & Sendable>(_ base: Base, _ action: Action, _ options: RunOptions)
    where Base.Element: BytesConvertible {
        begin = Mutex { [source, sink, latch] in
            Self.start(options.job(action), source, sink, latch, options)
            return Task {
                do {
                    try await source.fill(from: base)
                } catch {
                    // Before the run ends, which has no other reason for it.
                    sink.end(.failure(error))
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
            try await sink.next()
        } onCancel: {
            stop()
        }
    }

    /// Ends the run: what was not taken yet never will be.
    private func stop() {
        sink.end(.failure(Failure.cancelled))
        latch.fail(.cancelled)
        feeding.withLock { $0?.cancel() }
    }

    private static func start(
        _ job: Job, _ source: BufferSource, _ sink: BufferSink, _ latch: FailureLatch, _ options: RunOptions
    ) {
        do throws(Errno) {
            try startThread {
                let outcome = Result { () throws(Failure) in
                    _ = try job.run(from: Source(source), to: Sink(sink), latch: latch)
                }
                job.monitor?.threadDidEnd()
                // Before the last `next` returns: who asks then gets all of it.
                options.end()
                sink.end(outcome.mapError { $0 })
                // Whoever feeds it need not go on.
                source.cancel()
            }
        } catch {
            options.end()
            sink.end(.failure(Failure.outOfThreads(error)))
        }
    }
}
