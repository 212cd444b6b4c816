package import ByteStreams
internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Chunks of which each begins where the one before claims to end. Only decoding shows whether that is right. If it is
/// not, the worker that finds out takes over all that follows, and the chunks after its own do not count.
///
/// The bytes of chunks are kept here until all chunks before them have ended, which is before they give back their
/// slots.
package final class ChunkChain: Sendable {
    /// The place of a chunk in the chain.
    package struct Link: Sendable {
        fileprivate let chain: ChunkChain
        fileprivate let number: Int

        /// Reports that the chunk has ended where it claims to, or failed.
        package func end() { chain.end(number) }

        /// Waits until all chunks before have ended.
        ///
        /// - Parameter slots: those of the run.
        /// - Returns: all that follows the chunk; nil if a chunk before has taken that over, or the run has failed.
        func takeOver(_ slots: Slots) -> SegmentQueue? { chain.takeOver(number, slots) }
    }

    private struct State {
        /// How many chunks were cut; how many have ended, with all before them; and those that ended beyond.
        var (cut, ended) = (0, 0)
        var beyond: Set<Int> = []
        /// The bytes of the chunks after the first that has not ended.
        var kept: Deque<Bytes> = []
        /// What follows the first chunk that has not ended, for its worker, and whether it is being handed on.
        var heritage: SegmentQueue?
        var isHandedOver = false
        var isCancelled = false
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds a chunk.
    ///
    /// - Parameter bytes: its bytes; none if it comes in segments, after the end of all chunks before.
    package func add(_ bytes: Bytes = Bytes()) -> Link {
        state.withLock { state in
            if state.cut > state.ended { state.kept.append(bytes) }
            state.cut += 1
            return Link(chain: self, number: state.cut - 1)
        }
    }

    /// Waits until all chunks have ended, or a worker has taken over.
    ///
    /// - Parameter slots: those of the run, none of which the calling thread takes while it waits.
    package func waitForEnds(_ slots: Slots) {
        func haveEnded(_ state: State) -> Bool { state.ended == state.cut || state.heritage != nil }
        if state.withLock({ haveEnded($0) }) { return }
        slots.whileTakingNone { wait(until: haveEnded) }
    }

    /// Whether a worker has taken over all that follows its chunk.
    package var isTakenOver: Bool { state.withLock { $0.heritage != nil } }

    /// Where that worker gets it, which the caller then fills, and the bytes of the chunks that were cut after its own;
    /// nil if none has taken over.
    package func handOver() -> (segments: SegmentQueue, kept: Bytes)? {
        state.withLock { state in
            guard let heritage = state.heritage else { return nil }
            defer { (state.kept, state.isHandedOver) = ([], true) }
            return (heritage, Bytes(joining: Array(state.kept)))
        }
    }

    /// Ends all waiting.
    package func cancel() {
        change { state in
            state.isCancelled = true
            if !state.isHandedOver { state.heritage?.fail(.cancelled) }
        }
    }

    private func end(_ number: Int) {
        change { state in
            state.beyond.insert(number)
            while state.beyond.remove(state.ended) != nil {
                state.ended += 1
                if state.heritage == nil { _ = state.kept.popFirst() }
            }
        }
    }

    private func takeOver(_ number: Int, _ slots: Slots) -> SegmentQueue? {
        wait { $0.ended == number || $0.heritage != nil }
        var taken: SegmentQueue?
        change { state in
            guard !state.isCancelled, state.heritage == nil else { return }
            taken = SegmentQueue(slots)
            state.heritage = taken
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

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }
}
