package import ByteStreams
internal import Dispatch
internal import Synchronization
package import SystemPackage

/// A sink that does what a test tells it: it keeps what it is given, fails at a write, or takes its time.
package final class ScriptedSink: ByteSink {
    private struct State {
        var bytes: [UInt8] = []
        var writes = 0
        var failure: Errno?
        var isStuck: Bool
        var isWaiting = false
    }

    package let isBounded: Bool
    private let state: Mutex<State>
    private let failing: (write: Int, error: Errno)?
    private let silent: Int?
    private let pause: @Sendable () -> Void
    private let go = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - failing: the write that fails, counted from 0, and its error.
    ///   - isSlow: whether writes wait until `proceed` is called.
    ///   - silent: the write from which on all calls wait until `proceed` is called.
    ///   - joins: whether small pieces may come together.
    ///   - pause: called in each write.
    package init(
        failing: (write: Int, error: Errno)? = nil, isSlow: Bool = false, silent: Int? = nil, joins: Bool = false,
        pause: @escaping @Sendable () -> Void = {}
    ) {
        (self.failing, self.silent, isBounded, self.pause) = (failing, isSlow ? 0 : silent, joins, pause)
        state = Mutex(State(isStuck: isSlow || silent != nil))
    }

    /// What was written, with zeros for holes.
    package var bytes: [UInt8] { state.withLock { $0.bytes } }
    /// How many writes were asked for.
    package var writes: Int { state.withLock { $0.writes } }
    /// Whether somebody waits for it.
    package var isWaiting: Bool { state.withLock { $0.isWaiting } }

    package func write(_ piece: consuming Piece) throws(Failure) {
        pause()
        let mustWait = state.withLock { state in
            if let failing, state.failure == nil, state.writes == failing.write { state.failure = failing.error }
            state.isWaiting = state.failure == nil && state.isStuck && state.writes >= silent ?? .max
            state.writes += 1
            return state.isWaiting
        }
        if mustWait { go.wait() }
        let failure = state.withLock { state in
            state.isWaiting = false
            if state.failure == nil {
                state.bytes += [UInt8](repeating: 0, count: Int(piece.gapBefore)) + piece.bytes.elements
            }
            return state.failure
        }
        if let failure { throw .writing(failure) }
        piece.write?.end()
    }

    package func flush() throws(Failure) {
        let mustWait = state.withLock { state in
            state.isWaiting =
                state.failure == nil && state.isStuck && state.writes > 0 && state.writes >= silent ?? .max
            return state.isWaiting
        }
        if mustWait { go.wait() }
        state.withLock { $0.isWaiting = false }
        if let failure = state.withLock({ $0.failure }) { throw .writing(failure) }
    }

    /// Lets what comes be written.
    package func proceed() {
        state.withLock { $0.isStuck = false }
        go.signal()
    }

    package func end(after hole: UInt64, of written: UInt64) {
        state.withLock { $0.bytes += [UInt8](repeating: 0, count: Int(hole)) }
    }

    package func cancel() {
        state.withLock { $0.failure = $0.failure ?? .canceled }
        proceed()
    }
}
