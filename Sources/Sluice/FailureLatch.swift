internal import Synchronization

/// Holds the first failure of a run, and stops what would go on or wait.
public final class FailureLatch: Sendable {
    private struct State {
        var failure: Failure?
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// The first failure, if there was one.
    public var failure: Failure? { state.withLock { $0.failure } }

    /// Ends the run with this failure, unless it has one already. Any thread may call it, a signal's handler block too.
    public func fail(_ failure: Failure) {
        let actions = state.withLock { state in
            if state.failure != nil { return [@Sendable () -> Void]() }
            state.failure = failure
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action() }
    }

    /// Runs `action` when the run fails; at once if it has.
    public func onFailure(_ action: @escaping @Sendable () -> Void) {
        let hasFailed = state.withLock { state in
            if state.failure == nil { state.actions.append(action) }
            return state.failure != nil
        }
        if hasFailed { action() }
    }

    /// - Throws: the failure, if there was one.
    func check() throws(Failure) {
        if let failure { throw failure }
    }
}
