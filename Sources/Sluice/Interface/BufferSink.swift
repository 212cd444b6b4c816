internal import DequeModule
internal import Synchronization

/// Hands the output of a run to a Task, which is suspended until more comes.
final class BufferSink: ByteSink {
    private typealias Waiter = CheckedContinuation<Result<Bytes?, any Error>, Never>

    private struct State {
        var buffers: Deque<(bytes: Bytes, whenDone: @Sendable (Errno?) -> Void)> = []
        /// The end of the output; nil before.
        var outcome: Result<Void, any Error>?
        var isCancelled = false
        var consumer: Waiter?
    }

    private let state = Mutex(State())

    func write(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void) {
        let (consumer, isCancelled) = state.withLock { state -> (Waiter?, Bool) in
            if state.isCancelled { return (nil, true) }
            if let consumer = state.consumer.take() { return (consumer, false) }
            state.buffers.append((bytes, whenDone))
            return (nil, false)
        }
        if isCancelled { return whenDone(.canceled) }
        guard let consumer else { return }
        consumer.resume(returning: .success(bytes))
        whenDone(nil)
    }

    func cancel() {
        let dropped = state.withLock { state in
            state.isCancelled = true
            defer { state.buffers = [] }
            return state.buffers.map(\.whenDone)
        }
        for whenDone in dropped { whenDone(.canceled) }
    }

    /// Ends the output; the first outcome counts.
    func end(_ outcome: Result<Void, any Error>) {
        let consumer = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            return state.consumer.take()
        }
        consumer?.resume(returning: outcome.map { nil })
    }

    /// Waits for the next bytes, for one consumer; nil at the end.
    func next() async throws -> Bytes? {
        let outcome: Result<Bytes?, any Error> = await withCheckedContinuation { continuation in
            let (ready, whenDone) = state.withLock {
                state -> (Result<Bytes?, any Error>?, (@Sendable (Errno?) -> Void)?) in
                if let first = state.buffers.popFirst() { return (.success(first.bytes), first.whenDone) }
                if let outcome = state.outcome { return (outcome.map { nil }, nil) }
                state.consumer = continuation
                return (nil, nil)
            }
            if let ready { continuation.resume(returning: ready) }
            whenDone?(nil)
        }
        return try outcome.get()
    }
}
