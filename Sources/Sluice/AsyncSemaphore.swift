internal import DequeModule
internal import SluiceEngine
internal import Synchronization

/// A limit on the number of Tasks that go on at once. The others wait in order, without a thread.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        /// In order. The outcome is true if the Task gets its turn, false if it was cancelled before.
        var waiting: Deque<FirstOutcome<Bool>> = []
    }

    /// The turns of the runs from files to files.
    static let ofFileRuns = AsyncSemaphore(availableProcessors())

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Waits for a turn, which has to be given back.
    ///
    /// - Throws: `cancelled` if the Task was.
    func take() async throws(Failure) {
        let turn = FirstOutcome<Bool>()
        let hasTurn = await withTaskCancellationHandler {
            state.withLock { state in
                state.waiting.append(turn)
                Self.handOut(&state)
            }
            return await turn.wait()
        } onCancel: {
            turn.offer(false)
        }
        guard hasTurn else { throw .cancelled }
    }

    /// Lets the next Task go on.
    func give() {
        state.withLock { state in
            state.free += 1
            Self.handOut(&state)
        }
    }

    private static func handOut(_ state: inout State) {
        while state.free > 0, let next = state.waiting.popFirst() {
            if next.offer(true) { state.free -= 1 }
        }
    }
}
