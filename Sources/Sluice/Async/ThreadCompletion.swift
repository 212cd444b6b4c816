internal import Dispatch
internal import Synchronization

/// The outcome of a thread for which a Task waits. The first outcome counts.
final class ThreadCompletion<Success: Sendable>: Sendable {
    private typealias Outcome = Result<Success, Failure>

    private struct State {
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    /// How long a cancelled Task waits for its thread, which may be in the middle of a frame, in milliseconds.
    private static var patience: Int { 250 }

    private let state = Mutex(State())

    private init() {}

    /// Runs a body on a thread of its own, for which the calling Task waits.
    ///
    /// - Parameters:
    ///   - latch: fails with `cancelled` when the Task is cancelled, which has to end the body's waits.
    ///   - mayLeave: asked later whether the cancelled Task may go on without the body.
    /// - Throws: the failure of the body; `cancelled`, `outOfThreads`.
    static func onThread(
        latch: FailureLatch, mayLeave: @escaping @Sendable () -> Bool = { true },
        _ body: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let completion = ThreadCompletion()
        let outcome = await withTaskCancellationHandler {
            do throws(Failure) {
                try startThread {
                    completion.end(
                        Result { () throws(Failure) in
                            try latch.check()
                            return try body()
                        })
                }
            } catch {
                completion.end(.failure(error))
            }
            return await completion.outcome()
        } onCancel: {
            latch.fail(.cancelled)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(patience)) {
                if mayLeave() { completion.end(.failure(.cancelled)) }
            }
        }
        return try outcome.get()
    }

    private func end(_ outcome: Outcome) {
        let (waiter, first) = state.withLock { state in
            let first = state.outcome ?? outcome
            state.outcome = first
            return (state.waiter.take(), first)
        }
        waiter?.resume(returning: first)
    }

    private func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
