internal import Dispatch
internal import Synchronization

/// Whether a run still waits for one of its workers.
///
/// A worker may be in the middle of a frame, which libzstd does not stop. When the run is cancelled it ends that for
/// nobody, and has nothing of the run but memory. Only while it reads the input it is waited for: the number of the
/// descriptor could be another file's then.
final class Presence: Sendable {
    private enum State { case working, reading, ended }

    private let state = Mutex(State.working)
    private let group: DispatchGroup

    /// - Parameter group: what the run waits for.
    init(in group: DispatchGroup) {
        self.group = group
        group.enter()
    }

    /// - Returns: whether it may read: somebody waits for it.
    func beginReading() -> Bool {
        state.withLock { state in
            if state == .working { state = .reading }
            return state == .reading
        }
    }

    func endReading() {
        state.withLock { state in
            if state == .reading { state = .working }
        }
    }

    /// Nobody waits for it any more, but while it reads: it finds then that the run has failed.
    func endUnlessReading() { end(if: { $0 == .working }) }

    /// Nobody waits for it any more.
    func end() { end(if: { $0 != .ended }) }

    private func end(if condition: (State) -> Bool) {
        let ends = state.withLock { state in
            guard condition(state) else { return false }
            state = .ended
            return true
        }
        if ends { group.leave() }
    }
}
