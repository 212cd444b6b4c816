package import ByteStreams
internal import Dispatch
internal import Synchronization

/// Hands frames from the workers to the writer, in the order of their chunks. Only `wait` waits.
package final class OrderQueue: Sendable {
    private struct State {
        var order: FrameOrder
        /// Whether the writer sleeps. Who wakes it says so here, and signals once.
        var isAsleep = false
    }

    private let state: Mutex<State>
    private let due = DispatchSemaphore(value: 0)

    package init(_ order: FrameOrder) { state = Mutex(State(order: order)) }

    /// Changes the order, from any thread, and wakes the writer if something is due then for which it sleeps.
    package func change(_ body: (inout FrameOrder) -> Void) {
        let mustWake = state.withLock { state in
            body(&state.order)
            guard state.isAsleep, state.order.isDue() || state.order.hasEnded else { return false }
            state.isAsleep = false
            return true
        }
        if mustWake { due.signal() }
    }

    /// The next frame; nil if it has not arrived, or is held back.
    ///
    /// - Throws: the failure whose turn has come.
    package func next() throws(Failure) -> ChunkResult? {
        try state.withLock { state throws(Failure) in try state.order.next() }
    }

    /// Waits until `next` has something to say, for one thread.
    ///
    /// - Parameter isDry: whether everything has been written, and not in the middle of a frame, where holding back
    ///   would not fill the buffer.
    /// - Returns: false at the end, when all frames have been taken.
    package func wait(isDry: Bool) -> Bool {
        let mustWait = state.withLock { state in
            if state.order.isDue() || state.order.hasEnded { return false }
            if isDry { state.order.outputDidRunDry() }
            state.isAsleep = true
            return true
        }
        if mustWait { due.wait() }
        return state.withLock { $0.order.isDue() }
    }

    /// How many frames were taken, whether no more are needed, and the chunk after which none counts.
    package var progress: (next: Int, isComplete: Bool, lastIndex: Int) {
        state.withLock { ($0.order.nextIndex, $0.order.isComplete, $0.order.lastIndex) }
    }
}
