internal import Dispatch
internal import Synchronization

/// The first of several outcomes, for which a Task may wait. The others don't count.
final class FirstOutcome<Outcome: Sendable>: Sendable {
    private struct State {
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    /// - Returns: the outcome that counts: this one, or an earlier one.
    @discardableResult func offer(_ outcome: Outcome) -> Outcome {
        let (waiter, first) = state.withLock { state in
            let first = state.outcome ?? outcome
            state.outcome = first
            return (state.waiter.take(), first)
        }
        waiter?.resume(returning: first)
        return first
    }

    /// Waits for the outcome, in one Task.
    func wait() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}

extension FirstOutcome {
    /// How long a cancelled Task waits for its thread, which may be in the middle of a frame, in milliseconds.
    private static var patience: Int { 250 }

    /// Runs a body on a new thread, for which the calling Task waits.
    ///
    /// - Parameters:
    ///   - latch: fails with `cancelled` when the Task is cancelled.
    ///   - mayLeave: called some time after that; returns whether the cancelled Task may go on without the body.
    ///   - body: its waits have to end when the latch fails.
    /// - Throws: the failure of the body; `cancelled`, `outOfThreads`.
    static func onThread<Success>(
        latch: FailureLatch = FailureLatch(), mayLeave: @escaping @Sendable () -> Bool = { true },
        _ body: @escaping @Sendable (FailureLatch) throws(Failure) -> Success
    ) async throws(Failure) -> Success where Outcome == Result<Success, Failure> {
        let end = FirstOutcome()
        let outcome = await withTaskCancellationHandler {
            do throws(Failure) {
                try startThread {
                    end.offer(
                        Result { () throws(Failure) in
                            try latch.check()
                            return try body(latch)
                        })
                }
            } catch {
                end.offer(.failure(error))
            }
            return await end.wait()
        } onCancel: {
            latch.fail(.cancelled)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(patience)) {
                if mayLeave() { end.offer(.failure(.cancelled)) }
            }
        }
        return try outcome.get()
    }
}
