internal import Synchronization

/// Ends the input of a run early, as if no more of it came: for streams that have no end of their own.
///
/// Only input that is no file: what was read of a file is not a whole.
package final class InputEnd: Sendable {
    private struct State {
        var isAsked = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// One that nobody has asked to end anything yet.
    package init() {}

    /// Whether a run was asked to end its input.
    package var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Ends the input of the run that goes on.
    ///
    /// - Returns: false if there is none that can, or it was asked before.
    package func ask() -> Bool {
        let action = state.withLock { state in
            defer { state.action = nil }
            state.isAsked = state.isAsked || state.action != nil
            return state.action
        }
        action?()
        return action != nil
    }

    /// Runs `action`, once, when somebody asks; nil when nobody can any more.
    package func onAsk(_ action: (@Sendable () -> Void)?) {
        state.withLock { $0.action = action }
    }
}
