internal import Synchronization

/// Holds the first failure of a run, and stops everything that is running or waiting.
package final class FailureLatch: Sendable {
    private struct State {
        var failure: Failure?
        var actions: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The first failure; nil if there was none.
    package var failure: Failure? { state.withLock { $0.failure } }

    /// Ends the run with this failure, unless it has failed already. Any thread may call it, even the queue of a
    /// signal.
    package func fail(_ failure: Failure) {
        let actions = state.withLock { state in
            if state.failure != nil { return [@Sendable () -> Void]() }
            state.failure = failure
            defer { state.actions = [:] }
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    /// Runs `action` when the run fails, or at once if it already has.
    ///
    /// - Returns: a number for `forget`.
    @discardableResult
    package func onFailure(_ action: @escaping @Sendable () -> Void) -> Int {
        let (number, hasFailed) = state.withLock { state in
            state.count += 1
            if state.failure == nil { state.actions[state.count] = action }
            return (state.count, state.failure != nil)
        }
        if hasFailed { action() }
        return number
    }

    /// Removes an action that is no longer needed.
    package func forget(_ number: Int) {
        state.withLock { _ = $0.actions.removeValue(forKey: number) }
    }

    /// Runs `body` with a child latch, which fails when this one does, but not the other way round. The child is
    /// detached when `body` returns.
    package func withChild<Success>(_ body: (FailureLatch) throws(Failure) -> Success) throws(Failure) -> Success {
        let child = FailureLatch()
        let number = onFailure { [weak self] in child.fail(self?.failure ?? .cancelled) }
        defer { forget(number) }
        return try body(child)
    }

    /// - Throws: the failure, if there was one.
    package func check() throws(Failure) {
        if let failure { throw failure }
    }
}
