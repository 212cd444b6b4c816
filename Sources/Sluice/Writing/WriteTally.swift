internal import Synchronization

/// Counts what a sink was asked for, what it has written of that, and which frames have arrived with it.
final class WriteTally: Sendable {
    private struct State {
        var underWay = 0
        var written: UInt64 = 0
        var lastWritten: UInt64 = 0
        var deliveries = Deliveries()
        var hasFailed = false
        var onWriting: (@Sendable (Bool) -> Void)?
    }

    private let state = Mutex(State())
    private let monitor: Monitor?

    init(_ monitor: Monitor?) { self.monitor = monitor }

    /// Bytes that were written.
    var written: UInt64 { state.withLock { $0.written } }
    /// Whether nothing is under way.
    var isIdle: Bool { state.withLock { $0.underWay == 0 } }

    /// Tells from now on whether something is being written, whenever that may have changed. What is called must not
    /// wait.
    func onWriting(_ tell: @escaping @Sendable (_ isWriting: Bool) -> Void) {
        state.withLock { $0.onWriting = tell }
    }

    /// A frame goes out.
    ///
    /// - Parameter count: the bytes that it takes there, those in front of it included.
    func willDeliver(_ sizes: Delivery, count: Int) {
        if monitor != nil { state.withLock { $0.deliveries.append(sizes, count: count) } }
    }

    /// Tells the monitor what has arrived, and whether the run waits for more to arrive: after a failure it does for
    /// ever, for what was read is not done.
    func tell() {
        guard let monitor else { return }
        state.withLock { state in
            let isWriting = state.underWay > 0
            let arrived = state.deliveries.take(written: state.written, isIdle: !isWriting)
            monitor.didDeliver(arrived, isWriting: isWriting || state.hasFailed)
        }
    }

    /// A write was asked for.
    func didBegin() { state.withLock { Self.change(&$0, by: 1) } }

    /// A write has failed.
    func didFail() {
        state.withLock { state in
            Self.change(&state, by: -1)
            state.deliveries.didFail()
            state.hasFailed = true
        }
        tell()
    }

    /// A write is done.
    ///
    /// - Parameters:
    ///   - count: bytes.
    ///   - asked: when it was asked for, in nanoseconds of the monotonic clock.
    /// - Returns: whether nothing is under way now.
    func didEnd(_ count: Int, since asked: UInt64) -> Bool {
        let now = Span.now()
        let (start, isIdle) = state.withLock { state in
            Self.change(&state, by: -1)
            state.written += UInt64(count)
            // Writes are done one after another: each begins when the one before it has ended.
            defer { state.lastWritten = now }
            return (max(asked, state.lastWritten), state.underWay == 0)
        }
        monitor?.record(Span(stage: .write, bytes: count, start: start, end: now))
        return isIdle
    }

    private static func change(_ state: inout State, by change: Int) {
        state.underWay += change
        state.onWriting?(state.underWay > 0)
    }
}
