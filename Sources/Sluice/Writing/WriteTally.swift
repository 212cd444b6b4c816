internal import Synchronization

/// Counts the writes under way, the bytes that are written, and the frames that are complete with them.
final class WriteTally: Sendable {
    private struct State {
        var underWay = 0
        var written: UInt64 = 0
        var lastWritten: UInt64 = 0
        var deliveries = Deliveries()
        var onWriting: (@Sendable (Bool) -> Void)?
    }

    private let state = Mutex(State())
    private let monitor: Monitor?

    init(_ monitor: Monitor?) { self.monitor = monitor }

    var written: UInt64 { state.withLock { $0.written } }
    var isIdle: Bool { state.withLock { $0.underWay == 0 } }

    /// Calls `tell`, which must not wait, whenever it may have changed whether something is being written.
    func onWriting(_ tell: @escaping @Sendable (_ isWriting: Bool) -> Void) {
        state.withLock { $0.onWriting = tell }
    }

    /// Adds a frame that will be written.
    ///
    /// - Parameter count: bytes of the output, including the envelope's in front of the frame.
    func willDeliver(_ sizes: Delivery, count: Int) {
        if monitor != nil { state.withLock { $0.deliveries.append(sizes, count: count) } }
    }

    /// Reports to the monitor the frames that are complete, and whether the run waits for others: after a failure it
    /// does for ever, since chunks that were read are never done.
    func tell() {
        guard let monitor else { return }
        state.withLock { state in
            let isWriting = state.underWay > 0
            let arrived = state.deliveries.take(written: state.written, isIdle: !isWriting)
            monitor.didDeliver(arrived, isWriting: isWriting || state.deliveries.hasFailed)
        }
    }

    func didBegin() { state.withLock { Self.change(&$0, by: 1) } }

    func didFail() {
        state.withLock { state in
            Self.change(&state, by: -1)
            state.deliveries.didFail()
        }
        tell()
    }

    /// - Parameters:
    ///   - count: bytes that were written.
    ///   - asked: when the write was requested, in nanoseconds of the monotonic clock.
    /// - Returns: whether no write is under way now.
    func didEnd(_ count: Int, since asked: UInt64) -> Bool {
        let now = Span.now()
        let (start, isIdle) = state.withLock { state in
            Self.change(&state, by: -1)
            state.written += UInt64(count)
            // Writes are done in sequence: each begins when the one before it has ended.
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
