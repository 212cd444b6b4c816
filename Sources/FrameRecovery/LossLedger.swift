internal import Synchronization

/// A frame of a damaged file, which a worker tries to decode.
package struct TriedFrame: Sendable {
    /// Its bytes in the file.
    package let input: Range<UInt64>
    /// The most bytes that it decompresses to.
    package let bound: UInt64
    /// What is lost if it can't be decoded.
    package let claim: Claim
}

/// Sums up what became of a damaged file, in its order, while workers find out which frames are lost.
package final class LossLedger: Sendable {
    package enum Outcome: Sendable {
        /// Bytes of content.
        case recovered(UInt64)
        /// A range of the file, and why.
        case lost(Range<UInt64>, Claim, String)
    }

    private struct State {
        /// What became of what was found, by its number in the file, from the first of which that is unknown on.
        var outcomes: [Int: [Outcome]] = [:]
        var next = 0
        var lost: LostContent?
        /// Whether zeros stand in the place of what is lost.
        var fills = true
        /// Bytes of the content up to there.
        var content: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package func begin(_ filling: LossFilling) {
        state.withLock { ($0.lost, $0.fills) = (LostContent(), filling == .zeros) }
    }

    /// The losses until now; nil without `begin`.
    package var lost: LostContent? { state.withLock { $0.lost } }

    /// Notes what became of what was found.
    ///
    /// - Parameter number: how much was found before it.
    package func note(_ number: Int, _ outcomes: [Outcome]) {
        state.withLock { state in
            state.outcomes[number] = outcomes
            while let outcomes = state.outcomes.removeValue(forKey: state.next) {
                for outcome in outcomes { sum(outcome, into: &state) }
                state.next += 1
            }
        }
    }

    /// Notes that the content of the last frame, which was cut, has no proof.
    package func noteUnproved() { state.withLock { $0.lost?.endsUnproved = true } }

    /// How many zeros stand in the place of lost content.
    package func zeros(for claim: Claim) -> UInt64 { state.withLock { zeros(for: claim, $0) } }

    private func zeros(for claim: Claim, _ state: State) -> UInt64 { state.fills && claim.isInside ? claim.size : 0 }

    private func sum(_ outcome: Outcome, into state: inout State) {
        switch outcome {
        case .recovered(let size):
            state.content += size
            state.lost?.recovered += size
        case .lost(let input, let claim, let reason):
            let range = LostRange(
                input: input, contentOffset: state.content, contentSize: claim.size, isExact: claim.isExact,
                filled: zeros(for: claim, state), reason: reason)
            state.lost?.append(range)
            state.content += claim.size
        }
    }
}
