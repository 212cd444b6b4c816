internal import Synchronization

/// Lets a number of Tasks go on at once; the others wait in their order, without a thread.
final class Turns: Sendable {
    private struct State {
        var free: Int
        var count = 0
        /// In order, without the Tasks that were cancelled.
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        /// Tasks that were cancelled before they waited.
        var leaving: Set<Int> = []
    }

    /// The turns of the runs from files to files.
    static let ofFiles = Turns(availableProcessors())

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Waits for a turn, which has to be given back.
    ///
    /// - Throws: `cancelled` if the Task was.
    func take() async throws(Failure) {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0) }
        } onCancel: {
            leave(number)
        }
        state.withLock { _ = $0.leaving.remove(number) }
        guard hasTurn else { throw .cancelled }
    }

    /// Lets the next Task go on.
    func give() {
        let next = state.withLock { state in
            let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst().continuation
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume(returning: true)
    }

    private func wait(_ number: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let answer: Bool? = state.withLock { state in
            if state.leaving.contains(number) { return false }
            if state.free > 0 {
                state.free -= 1
                return true
            }
            state.waiting.append((number, continuation))
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func leave(_ number: Int) {
        let leaver = state.withLock { state in
            state.leaving.insert(number)
            let place = state.waiting.firstIndex { $0.number == number }
            return place.map { state.waiting.remove(at: $0).continuation }
        }
        leaver?.resume(returning: false)
    }
}
