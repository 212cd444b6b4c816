internal import ByteStreams
internal import Synchronization
internal import SystemPackage

/// A run whose output a Task takes, on a thread of its own, which begins with the first `next`.
final class BufferRun: Sendable {
    private let sink: BufferSink
    private let latch: FailureLatch
    /// Runs once, with the first `next`.
    private let begin: Mutex<(@Sendable () -> Task<Void, Never>?)?>
    private let feeding = Mutex<Task<Void, Never>?>(nil)

    /// A run of the buffers of a sequence, which a Task hands over.
    convenience init<Base: AsyncSequence & Sendable>(_ base: Base, _ action: Action, _ options: RunOptions)
    where Base.Element: BytesConvertible {
        let (source, sink, latch) = (BufferSource(), BufferSink(), FailureLatch())
        self.init(sink, latch) {
            let job = options.job(action)
            let run = { @Sendable () throws(Failure) in
                _ = try job.run(from: Source(source), to: Sink(sink), latch: latch)
            }
            Self.start(job, sink, run) {
                options.end()
                // Whoever feeds it need not go on.
                source.cancel()
            }
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

    /// A run that needs nobody to feed it.
    ///
    /// - Parameter run: what it does, with the sink that the Task takes the output from.
    convenience init(
        _ job: Job, _ run: @escaping @Sendable (Job, Sink, FailureLatch) throws(Failure) -> Void
    ) {
        let (sink, latch) = (BufferSink(), FailureLatch())
        self.init(sink, latch) {
            Self.start(job, sink, { () throws(Failure) in try run(job, Sink(sink), latch) })
            return nil
        }
    }

    private init(
        _ sink: BufferSink, _ latch: FailureLatch, begin: @escaping @Sendable () -> Task<Void, Never>?
    ) {
        self.begin = Mutex(begin)
        (self.sink, self.latch) = (sink, latch)
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

    /// - Parameter didEnd: runs before the last `next` returns, however the run ends: who asks then gets all of it.
    private static func start(
        _ job: Job, _ sink: BufferSink, _ body: @escaping @Sendable () throws(Failure) -> Void,
        didEnd: @escaping @Sendable () -> Void = {}
    ) {
        do throws(Errno) {
            try startThread {
                let outcome = Result { () throws(Failure) in try body() }
                job.monitor?.threadDidEnd()
                didEnd()
                sink.end(outcome.mapError { $0 })
            }
        } catch {
            didEnd()
            sink.end(.failure(Failure.outOfThreads(error)))
        }
    }
}
