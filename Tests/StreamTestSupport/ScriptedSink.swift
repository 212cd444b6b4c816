package import ByteStreams
internal import Synchronization
package import SystemPackage

/// A sink that does what a test tells it: it keeps what it is given, fails at a write, or is slow to let memory go.
package final class ScriptedSink: ByteSink {
    private struct State {
        var bytes: [UInt8] = []
        var writes = 0
        var failure: Errno?
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let failing: (write: Int, error: Errno)?
    private let isSlow: Bool

    /// - Parameters:
    ///   - failing: the write that fails, counted from 0, and its error.
    ///   - isSlow: whether writes are done only when `proceed` is called.
    package init(failing: (write: Int, error: Errno)? = nil, isSlow: Bool = false) {
        (self.failing, self.isSlow) = (failing, isSlow)
    }

    /// What was written, with zeros for holes.
    package var bytes: [UInt8] { state.withLock { $0.bytes } }
    /// How many writes were asked for.
    package var writes: Int { state.withLock { $0.writes } }

    package func write(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void) {
        let failure = state.withLock { state -> Errno? in
            if let failing, state.failure == nil, state.writes == failing.write { state.failure = failing.error }
            state.writes += 1
            guard state.failure == nil else { return state.failure }
            state.bytes += [UInt8](repeating: 0, count: Int(hole)) + bytes.elements
            if isSlow { state.waiting.append { whenDone(nil) } }
            return nil
        }
        if failure != nil || !isSlow { whenDone(failure) }
    }

    /// Lets what was written be done.
    package func proceed() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for done in waiting { done() }
    }

    package func end(after hole: UInt64, of written: UInt64) {
        state.withLock { $0.bytes += [UInt8](repeating: 0, count: Int(hole)) }
    }

    package func cancel() {
        state.withLock { $0.failure = $0.failure ?? .canceled }
        proceed()
    }
}
