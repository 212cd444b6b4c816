package import ByteStreams
package import Dispatch
internal import Synchronization

/// A source that does what a test tells it: it gives its bytes in pieces, fails at a call, or falls silent there.
package final class ScriptedSource: ByteSource {
    /// What happens at a call, counted from 0, in place of the next piece.
    package enum Event: Equatable, Sendable {
        case failure(Failure)
        /// Nothing comes any more, until somebody ends the waiting.
        case silence
    }

    private struct State {
        var rest: ArraySlice<UInt8>
        var calls = 0
        var isWaiting = false
    }

    private let state: Mutex<State>
    private let piece: Int
    private let events: [Int: Event]
    private let pause: @Sendable () -> Void
    private let end = DispatchSemaphore(value: 0)
    private let isEnded = Atomic(false)
    private let isFinished = Atomic(false)

    /// - Parameters:
    ///   - piece: bytes that a call gives at most.
    ///   - pause: called in each call.
    package init(
        _ content: [UInt8], piece: Int, events: [Int: Event] = [:], pause: @escaping @Sendable () -> Void = {}
    ) {
        state = Mutex(State(rest: content[...]))
        (self.piece, self.events, self.pause) = (piece, events, pause)
    }

    /// How often it was read.
    package var calls: Int { state.withLock { $0.calls } }
    /// Whether somebody waits for it.
    package var isWaiting: Bool { state.withLock { $0.isWaiting } }
    /// Whether the descriptor would have been given back.
    package var hasFinished: Bool { isFinished.load(ordering: .acquiring) }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        pause()
        if isEnded.load(ordering: .acquiring) { return Bytes() }
        let call = state.withLock { state in
            defer { state.calls += 1 }
            return state.calls
        }
        switch events[call] {
        case .failure(let failure)?: throw failure
        case .silence?:
            state.withLock { $0.isWaiting = true }
            _ = end.wait(timeout: deadline ?? .distantFuture)
            return Bytes()
        case nil: break
        }
        return state.withLock { state in
            guard !state.rest.isEmpty else { return nil }
            let part = state.rest.prefix(min(count, piece))
            state.rest = state.rest.dropFirst(part.count)
            return Bytes(Array(part))
        }
    }

    package func endWaiting() {
        isEnded.store(true, ordering: .releasing)
        end.signal()
    }

    package func finish() { isFinished.store(true, ordering: .releasing) }
}
