internal import Synchronization

/// A frame of a damaged file, which a worker tries to decode.
package struct TriedFrame: Sendable {
    /// Its bytes in the file.
    package let input: Range<UInt64>
    /// The most bytes that it decompresses to.
    package let bound: UInt64
    /// What is lost if it can't be decoded.
    package let loss: LossSize
}

/// The losses of a damaged file, summed up in file order while workers find out which frames can be decoded.
package final class LossLedger: Sendable {
    package enum Outcome: Sendable {
        /// Bytes of content.
        case recovered(UInt64)
        /// A range of the file, and why.
        case lost(Range<UInt64>, LossSize, String)
    }

    private struct State {
        /// Outcomes by the number of their find, kept until those of all earlier finds are known.
        var outcomes: [Int: [Outcome]] = [:]
        var next = 0
        var lost: LostContent?
        var filling = LossFilling.zeros
        /// Bytes of content, recovered or lost, before `next`.
        var content: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// - Parameter complaint: what the strict walk says against the file; nil if nothing.
    package func begin(_ filling: LossFilling, complaint: String?) {
        state.withLock { state in
            (state.lost, state.filling) = (LostContent(), filling)
            state.lost?.complaint = complaint
        }
    }

    /// Ends the ledger: if there is a complaint, and no loss was found, it is only known whether there is one if seek
    /// tables account for all content.
    ///
    /// - Parameter size: bytes of the file.
    package func end(at size: UInt64, isAccountedFor: Bool) {
        state.withLock { state in
            guard !isAccountedFor, let complaint = state.lost?.complaint, state.lost?.isOfContent == false else {
                return
            }
            sum(.lost(size..<size, .unknown, complaint), into: &state)
        }
    }

    /// The losses until now; nil without `begin`.
    package var lost: LostContent? { state.withLock { $0.lost } }

    /// Notes the outcomes of a find.
    ///
    /// - Parameter number: the number of finds before it.
    package func note(_ number: Int, _ outcomes: [Outcome]) {
        state.withLock { state in
            state.outcomes[number] = outcomes
            while let outcomes = state.outcomes.removeValue(forKey: state.next) {
                for outcome in outcomes { sum(outcome, into: &state) }
                state.next += 1
            }
        }
    }

    /// Notes that the last frame was cut, so that no checksum proves its content.
    package func noteUnproved() { state.withLock { $0.lost?.endsUnproved = true } }

    /// Notes what the file's parity has repaired before frames were looked for.
    package func noteRepaired(_ places: Int, _ bytes: UInt64) {
        state.withLock { state in
            state.lost?.repairs = places
            state.lost?.repairedBytes = bytes
        }
    }

    /// The number of zeros that replace lost content.
    package func zeros(for loss: LossSize) -> UInt64 { state.withLock { $0.filling.zeros(for: loss) } }

    private func sum(_ outcome: Outcome, into state: inout State) {
        switch outcome {
        case .recovered(let size):
            state.content += size
            state.lost?.recovered += size
        case .lost(let input, let loss, let reason):
            let range = LostRange(
                input: input, contentOffset: state.content, contentSize: loss.size, isExact: loss.isExact,
                filled: state.filling.zeros(for: loss), reason: reason)
            state.lost?.append(range)
            state.content += loss.size
        }
    }
}
