internal import Synchronization

/// Ends the input of a run early, for streams that never end by themselves. Files can't be ended: the start of a file
/// is not a complete input.
package final class InputEnd: Sendable {
    private struct State {
        var isAsked = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Ends the input of the current run.
    ///
    /// - Returns: false if its input can't be ended, or was ended before.
    package func ask() -> Bool {
        let action = state.withLock { state in
            defer { state.action = nil }
            state.isAsked = state.isAsked || state.action != nil
            return state.action
        }
        action?()
        return action != nil
    }

    /// Sets the action of the first `ask`; nil once the input can't be ended any more.
    package func onAsk(_ action: (@Sendable () -> Void)?) {
        state.withLock { $0.action = action }
    }
}
