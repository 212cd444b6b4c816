internal import Dispatch
internal import Synchronization
package import SystemPackage

/// Lets writes wait for space on a full disk, or in a quota, and continue where they stopped. They are retried every
/// second, and by `retry`.
package final class FullDisk: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var tell: (@Sendable (Errno) -> Void)?
    }

    private static let interval = DispatchTimeInterval.seconds(1)

    private let queue = DispatchQueue(label: "sluice.full")
    private let state = Mutex(State())

    package init() {}

    /// Sets `tell`, which is called once, with the error, when a write has to wait.
    package func onWaiting(_ tell: @escaping @Sendable (Errno) -> Void) {
        state.withLock { $0.tell = tell }
    }

    /// Retries the waiting writes now.
    package func retry() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }

    /// Whether a write may succeed later.
    static func mayPass(_ error: Errno) -> Bool { error == .noSpace || error == .diskQuotaExceeded }

    /// Runs `action` when space may be available again.
    func retryLater(after error: Errno, _ action: @escaping @Sendable () -> Void) {
        let tell = state.withLock { state in
            state.waiting.append(action)
            defer { state.tell = nil }
            return state.tell
        }
        // Here, and not where the write has ended: a terminal may keep it waiting.
        if let tell { queue.async { tell(error) } }
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.retry() }
    }
}
