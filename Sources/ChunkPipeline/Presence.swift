internal import Dispatch
internal import Synchronization

/// Whether a run still waits for one of its workers.
///
/// libzstd does not stop in the middle of a frame. A cancelled run leaves such a worker behind, which then holds
/// nothing of the run but memory. The run still waits while the worker reads the input: later the descriptor's number
/// may be another file's.
final class Presence: Sendable {
    private enum State { case working, reading, ended }

    private let state = Mutex(State.working)
    private let group: DispatchGroup

    /// - Parameter group: the run waits for it.
    init(in group: DispatchGroup) {
        self.group = group
        group.enter()
    }

    /// - Returns: false if the run no longer waits.
    func beginReading() -> Bool { change(.working, to: .reading) }

    func endReading() { change(.reading, to: .working) }

    /// Ends the waiting, unless the worker reads: it will find that the run has failed.
    func endUnlessReading() { if change(.working, to: .ended) { group.leave() } }

    func end() { if change(.working, to: .ended) || change(.reading, to: .ended) { group.leave() } }

    @discardableResult
    private func change(_ before: State, to after: State) -> Bool {
        state.withLock { state in
            guard state == before else { return false }
            state = after
            return true
        }
    }
}
