internal import Synchronization

/// Keeps losses in the order of the file, while workers find out which frames are lost.
final class LossLedger: Sendable {
    enum Outcome {
        /// Bytes of content.
        case recovered(UInt64)
        /// The reason.
        case lost(String)
    }

    private struct Entry {
        let frames: [TriedFrame]
        /// One of each frame, or one of all together; nil until a worker has tried.
        var outcomes: [Outcome]?
    }

    private struct State {
        /// Entries from the first one without an outcome on.
        var entries: [Entry] = []
        /// The number of entries before them.
        var done = 0
        /// The numbers of entries that workers try, by their offset in the file.
        var places: [UInt64: Int] = [:]
        var lost: LostContent?
        /// Whether zeros stand in the place of what is lost.
        var fills = true
        /// Bytes of the content up to the first entry.
        var content: UInt64 = 0
    }

    private let state = Mutex(State())

    func begin(_ filling: LossFilling) { state.withLock { ($0.lost, $0.fills) = (LostContent(), filling == .zeros) } }

    /// The losses until now; nil without `begin`.
    var lost: LostContent? { state.withLock { $0.lost } }

    /// A worker will try frames, which follow one another.
    func expect(_ frames: [TriedFrame]) {
        guard let first = frames.first else { return }
        state.withLock { state in
            state.places[first.input.lowerBound] = state.done + state.entries.count
            state.entries.append(Entry(frames: frames))
        }
    }

    /// The frames that a worker is to try at an offset.
    func frames(at offset: UInt64) -> [TriedFrame] {
        state.withLock { state in state.places[offset].map { state.entries[$0 - state.done].frames } ?? [] }
    }

    /// A range has content that goes out.
    func recover(_ input: Range<UInt64>, contentSize: UInt64, isProved: Bool = true) {
        state.withLock { state in
            if !isProved { state.lost?.endsUnproved = true }
            add(input, .nothing, .recovered(contentSize), to: &state)
        }
    }

    /// A range is lost.
    ///
    /// - Returns: how many zeros stand in its place.
    func lose(_ input: Range<UInt64>, _ claim: Claim, _ reason: String) -> UInt64 {
        state.withLock { add(input, claim, .lost(reason), to: &$0) }
        return zeros(for: claim)
    }

    /// A worker has tried the frames at an offset.
    ///
    /// - Parameter outcomes: one of each frame, or one of all together.
    func didTry(at offset: UInt64, _ outcomes: [Outcome]) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: offset) else { return }
            state.entries[place - state.done].outcomes = outcomes
            fold(&state)
        }
    }

    /// How many zeros stand in the place of lost content.
    func zeros(for claim: Claim) -> UInt64 { state.withLock { zeros(for: claim, $0) } }

    private func zeros(for claim: Claim, _ state: State) -> UInt64 { state.fills && claim.isInside ? claim.size : 0 }

    private func add(_ input: Range<UInt64>, _ claim: Claim, _ outcome: Outcome, to state: inout State) {
        let frame = TriedFrame(input: input, bound: 0, claim: claim)
        state.entries.append(Entry(frames: [frame], outcomes: [outcome]))
        fold(&state)
    }

    /// Sums up the first entries, as far as they have outcomes.
    private func fold(_ state: inout State) {
        var count = 0
        while count < state.entries.count, let outcomes = state.entries[count].outcomes {
            for (frame, outcome) in zip(state.entries[count].frames, outcomes) { sum(frame, outcome, into: &state) }
            count += 1
        }
        state.entries.removeFirst(count)
        state.done += count
    }

    private func sum(_ frame: TriedFrame, _ outcome: Outcome, into state: inout State) {
        switch outcome {
        case .recovered(let size):
            state.content += size
            state.lost?.recovered += size
        case .lost(let reason):
            let range = LostRange(
                input: frame.input, contentOffset: state.content, contentSize: frame.claim.size,
                isExact: frame.claim.isExact, filled: zeros(for: frame.claim, state), reason: reason)
            state.lost?.append(range)
            state.content += frame.claim.size
        }
    }
}
