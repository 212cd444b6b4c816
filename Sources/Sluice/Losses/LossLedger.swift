internal import Synchronization

/// Keeps what is lost, in the order of the file, while workers find out which frames are.
final class LossLedger: Sendable {
    private enum Outcome {
        case recovered(UInt64)
        case lost(String)
    }

    private struct Entry {
        let input: Range<UInt64>
        let claim: Claim
        /// Nil until a worker has tried.
        var outcome: Outcome?
    }

    private struct State {
        /// Those from the first on of which the outcome is not known.
        var entries: [Entry] = []
        /// Entries that were there before them.
        var done = 0
        /// Which entry begins at an offset of the file, of those that workers try.
        var places: [UInt64: Int] = [:]
        var lost: LostContent?
        /// Whether zeros stand in the place of what is lost.
        var fills = true
        /// Bytes of the content up to the first entry.
        var content: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Keeps what is lost from now on.
    func begin(_ filling: LossFilling) { state.withLock { ($0.lost, $0.fills) = (LostContent(), filling == .zeros) } }

    /// What was lost until now, at the end of a run all of it; nil if nobody wants to know.
    var lost: LostContent? { state.withLock { $0.lost } }

    /// A worker will try a frame.
    func expect(_ input: Range<UInt64>, _ claim: Claim) {
        state.withLock { state in
            state.places[input.lowerBound] = state.done + state.entries.count
            state.entries.append(Entry(input: input, claim: claim))
        }
    }

    /// Something has so much content, which goes out.
    func recover(_ input: Range<UInt64>, contentSize: UInt64, isProved: Bool = true) {
        state.withLock { state in
            if !isProved { state.lost?.endsUnproved = true }
            state.entries.append(Entry(input: input, claim: .nothing, outcome: .recovered(contentSize)))
            fold(&state)
        }
    }

    /// Nothing can be had of something.
    ///
    /// - Returns: how many zeros stand in its place.
    func lose(_ input: Range<UInt64>, _ claim: Claim, _ reason: String) -> UInt64 {
        state.withLock { state in
            state.entries.append(Entry(input: input, claim: claim, outcome: .lost(reason)))
            fold(&state)
            return zeros(for: claim, state)
        }
    }

    /// A worker has decoded the frame that begins there.
    func didDecode(at offset: UInt64, contentSize: UInt64) {
        _ = settle(offset, .recovered(contentSize))
    }

    /// A worker could not decode the frame that begins there.
    ///
    /// - Returns: how many zeros stand in its place.
    func didFail(at offset: UInt64, _ reason: String) -> UInt64 { settle(offset, .lost(reason)) }

    private func settle(_ offset: UInt64, _ outcome: Outcome) -> UInt64 {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: offset) else { return 0 }
            let claim = state.entries[place - state.done].claim
            state.entries[place - state.done].outcome = outcome
            fold(&state)
            return zeros(for: claim, state)
        }
    }

    private func zeros(for claim: Claim, _ state: State) -> UInt64 { state.fills && claim.isInside ? claim.size : 0 }

    /// Sums up the entries at the front of which the outcome is known.
    private func fold(_ state: inout State) {
        var count = 0
        while count < state.entries.count, let outcome = state.entries[count].outcome {
            let entry = state.entries[count]
            count += 1
            switch outcome {
            case .recovered(let size):
                state.content += size
                state.lost?.recovered += size
            case .lost(let reason):
                let range = LostRange(
                    input: entry.input, contentOffset: state.content, contentSize: entry.claim.size,
                    isExact: entry.claim.isExact, filled: zeros(for: entry.claim, state), reason: reason)
                state.lost?.append(range)
                state.content += entry.claim.size
            }
        }
        state.entries.removeFirst(count)
        state.done += count
    }
}
