package import ByteStreams
internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Chunks of which each begins where the one before claims to end. Only decoding shows whether that is right. If it is
/// not, the worker that finds out takes over all that follows, and the chunks after its own do not count.
///
/// For that, the bytes of chunks are kept here until all chunks before have ended. So are their slots, which bound them
/// even if such a chunk fails at once.
package final class ChunkChain: Sendable {
    /// The place of a chunk in the chain.
    package struct Link: Sendable {
        fileprivate let chain: ChunkChain
        fileprivate let number: Int

        /// Reports that the chunk has ended, where it claims to or with a failure.
        package func end() { chain.end(number) }

        /// Waits until all chunks before have ended.
        ///
        /// - Returns: all that follows the chunk; nil if a chunk before has taken that over, or the run has failed.
        package func takeOver() -> SegmentQueue? { chain.takeOver(number) }
    }

    private struct State {
        /// How many chunks were cut; how many have ended, with all before them; and those that ended beyond.
        var (cut, ended) = (0, 0)
        var beyond: Set<Int> = []
        /// The chunks after the first that has not ended.
        var kept: Deque<SegmentQueue.Held> = []
        /// What follows the chunk whose worker has taken over.
        var rest: SegmentQueue?
        /// How the input has ended, if it has: with nil at its end.
        var inputEnd: Failure??
        var isCancelled = false
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())
    private let slots: Slots

    /// - Parameter slots: those of the run.
    package init(_ slots: Slots) { self.slots = slots }

    /// Adds a chunk that has its slots.
    ///
    /// - Parameter bytes: its bytes; none if it comes in segments, after the end of all chunks before.
    package func add(_ bytes: Bytes, _ lease: Lease) -> Link {
        state.withLock { state in
            let chunk = SegmentQueue.Held(bytes: bytes, lease: lease)
            if let rest = state.rest {
                rest.add(chunk)
            } else if state.cut > state.ended, !state.isCancelled {
                state.kept.append(chunk)
            }
            state.cut += 1
            return Link(chain: self, number: state.cut - 1)
        }
    }

    /// Waits until all chunks have ended, or a worker has taken over.
    ///
    /// The calling thread takes no slots meanwhile, so all of them count as in use.
    package func waitForEnds() {
        func haveEnded(_ state: State) -> Bool { state.ended == state.cut || state.rest != nil }
        if state.withLock({ haveEnded($0) }) { return }
        slots.whileTakingNone { wait(until: haveEnded) }
    }

    /// Where a worker that has taken over gets what was not cut yet; nil if none has.
    package var rest: SegmentQueue? { state.withLock { $0.rest } }

    /// Reports that nothing more comes; the first report counts.
    ///
    /// - Parameter failure: why; nil at the end of the input.
    package func inputDidEnd(because failure: Failure? = nil) {
        state.withLock { state in
            if state.inputEnd != nil { return }
            state.inputEnd = .some(failure)
            state.rest?.end(with: failure)
        }
    }

    /// Ends all waiting.
    package func cancel() {
        inputDidEnd(because: .cancelled)
        change { state in
            state.isCancelled = true
            defer { state.kept = [] }
            return state.kept
        }
    }

    private func end(_ number: Int) {
        change { state in
            var dropped: Deque<SegmentQueue.Held> = []
            state.beyond.insert(number)
            while state.beyond.remove(state.ended) != nil {
                state.ended += 1
                if let next = state.kept.popFirst() { dropped.append(next) }
            }
            return dropped
        }
    }

    private func takeOver(_ number: Int) -> SegmentQueue? {
        wait { $0.ended == number || $0.rest != nil }
        var taken: SegmentQueue?
        change { state in
            guard !state.isCancelled, state.rest == nil else { return [] }
            let rest = SegmentQueue(slots)
            for chunk in state.kept { rest.add(chunk) }
            if case .some(let failure) = state.inputEnd { rest.end(with: failure) }
            (state.rest, state.kept, taken) = (rest, [], rest)
            return []
        }
        return taken
    }

    private func wait(until isDone: (State) -> Bool) {
        let semaphore = DispatchSemaphore(value: 0)
        while state.withLock({ state in
            if state.isCancelled || isDone(state) { return false }
            state.waiting.append(semaphore)
            return true
        }) {
            semaphore.wait()
        }
    }

    /// Changes the state, and wakes whoever waits for that.
    ///
    /// - Parameter body: returns what it takes out of the state, which is dropped outside of the lock.
    private func change(_ body: (inout State) -> Deque<SegmentQueue.Held>) {
        let (dropped, waiting) = state.withLock { state in
            let dropped = body(&state)
            defer { state.waiting = [] }
            return (dropped, state.waiting)
        }
        for semaphore in waiting { semaphore.signal() }
        withExtendedLifetime(dropped) {}
    }
}
