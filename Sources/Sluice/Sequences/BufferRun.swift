internal import Synchronization

/// A run on a thread of its own, whose output a Task takes. It begins with the first `next`.
final class BufferRun: Sendable {
    private enum State {
        /// Starts the run, and the Task that feeds it, if it needs one.
        case waiting(@Sendable (BufferSink, FailureLatch) -> Task<Void, Never>?)
        case begun(feeding: Task<Void, Never>?)
    }

    private let sink = BufferSink()
    private let latch = FailureLatch()
    private let state: Mutex<State>

    /// A run over the buffers of a sequence, which a Task hands over.
    init<Base: AsyncSequence & Sendable>(_ base: Base, _ action: Action, _ options: RunOptions)
    where Base.Element: Collection<UInt8> {
        let waiting = State.waiting { @Sendable sink, latch in
            let (job, source) = (options.job(action), BufferSource())
            Self.start(job, sink) { () throws(Failure) in
                _ = try job.run(from: Source(source), to: Sink(sink), latch: latch)
            } didEnd: {
                options.end()
                // The sequence need not go on.
                source.cancel()
            }
            return source.feed(from: base, latch: latch) { error in sink.end(.failure(error)) }
        }
        state = Mutex(waiting)
    }

    /// A run that reads its own input.
    init(_ job: Job, _ run: @escaping @Sendable (Job, Sink, FailureLatch) throws(Failure) -> Void) {
        let waiting = State.waiting { @Sendable sink, latch in
            Self.start(job, sink) { () throws(Failure) in try run(job, Sink(sink), latch) }
            return nil
        }
        state = Mutex(waiting)
    }

    deinit { stop() }

    /// Waits for the next bytes; nil at the end.
    func next() async throws -> Bytes? {
        state.withLock { state in
            if case .waiting(let begin) = state { state = .begun(feeding: begin(sink, latch)) }
        }
        return try await withTaskCancellationHandler {
            try await sink.next()
        } onCancel: {
            stop()
        }
    }

    /// Ends the run, and drops its output.
    private func stop() {
        sink.end(.failure(Failure.cancelled))
        latch.fail(.cancelled)
        state.withLock { if case .begun(let feeding) = $0 { feeding?.cancel() } }
    }

    /// - Parameter didEnd: runs before the last `next` returns, however the run ends.
    private static func start(
        _ job: Job, _ sink: BufferSink, _ body: @escaping @Sendable () throws(Failure) -> Void,
        didEnd: @escaping @Sendable () -> Void = {}
    ) {
        do throws(Failure) {
            try startThread {
                let outcome = Result { () throws(Failure) in try body() }
                job.monitor?.threadDidEnd()
                didEnd()
                sink.end(outcome.mapError { $0 })
            }
        } catch {
            didEnd()
            sink.end(.failure(error))
        }
    }
}
