internal import Dispatch
internal import Synchronization
package import SystemPackage

/// Lets writes wait for room on a full disk, or in a quota, and go on where they stopped.
///
/// Each is tried again every second, and whenever somebody says so.
package final class FullDisk: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var tell: (@Sendable (Errno) -> Void)?
    }

    private static let interval = DispatchTimeInterval.seconds(1)

    private let queue = DispatchQueue(label: "sluice.full")
    private let state = Mutex(State())

    /// One for which nothing waits yet.
    package init() {}

    /// Calls `tell` with the error when something waits, once.
    package func onWaiting(_ tell: @escaping @Sendable (Errno) -> Void) {
        state.withLock { $0.tell = tell }
    }

    /// Tries now what waits.
    package func retry() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }

    /// Whether a failure of a write is one that may pass.
    static func mayPass(_ error: Errno) -> Bool { error == .noSpace || error == .diskQuotaExceeded }

    /// Runs `action` when there may be room.
    func wait(_ error: Errno, _ action: @escaping @Sendable () -> Void) {
        let tell = state.withLock { state in
            state.waiting.append(action)
            defer { state.tell = nil }
            return state.tell
        }
        tell?(error)
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.retry() }
    }
}
