internal import SluiceEngine
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
