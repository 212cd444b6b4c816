package import ByteStreams
internal import DequeModule
internal import Dispatch
internal import Synchronization
package import SystemPackage

/// The queue in front of a stream, and the one count of what was written: progress, statistics and whoever holds output
/// back go by it.
package final class OutputQueue: ContentSink {
    /// The end of a write.
    package struct WriteEnd {
        /// Whether no other one is left.
        package let isIdle: Bool
        /// Whether it was in the middle of a frame.
        package let isContinued: Bool
    }

    private struct State {
        /// Frames that the stream was not asked to write yet.
        var waiting: Deque<Frame> = []
        /// Writes that the stream was asked for.
        var underWay = 0
        /// Bytes that were written, with the holes before them.
        var written: UInt64 = 0
        /// When the last write ended.
        var lastWritten: UInt64 = 0
        /// Bytes of the hole at the end of what has come.
        var hole: UInt64 = 0
        /// The sizes of the frames that have arrived, and of those that the monitor was not told of yet.
        var (total, untold) = (Delivery(), Delivery())
        var failure: Errno?
        var onWriting: (@Sendable (Bool) -> Void)?
        // A closure that is all that a generic lock holds gets another thunk at each access (Swift 6.3).
        var onWritten: (@Sendable (Result<WriteEnd, Errno>) -> Void)?

        var isIdle: Bool { underWay == 0 && waiting.isEmpty }

        mutating func didArrive(_ frame: borrowing Frame) {
            let sizes = Delivery(source: frame.sourceSize, made: frame.madeSize)
            total += sizes
            untold += sizes
        }
    }

    private let stream: (any ByteSink)?
    private let monitor: Monitor?
    private let state = Mutex(State())
    private let writing = DispatchGroup()

    /// - Parameter stream: nil if nothing is written.
    package init(_ stream: (any ByteSink)?, monitor: Monitor?) { (self.stream, self.monitor) = (stream, monitor) }

    /// Bytes that were written.
    package var written: UInt64 { state.withLock { $0.written } }
    /// The sizes of what has arrived.
    package var total: Delivery { state.withLock { $0.total } }
    /// Whether everything that has come is written, or never will be.
    package var isIdle: Bool { state.withLock { $0.isIdle } }

    /// Calls `tell`, which must not wait, whenever it may have changed whether something is being written.
    package func onWriting(_ tell: @escaping @Sendable (_ isWriting: Bool) -> Void) {
        state.withLock { $0.onWriting = tell }
    }

    /// Calls `tell` from any thread when a write has ended or failed; `advance` has to follow.
    package func onWritten(_ tell: @escaping @Sendable (Result<WriteEnd, Errno>) -> Void) {
        state.withLock { $0.onWritten = tell }
    }

    package func write(_ frame: consuming Frame) {
        var frame = frame
        let isQueued = state.withLock { state -> Bool in
            state.hole += frame.hole
            if state.failure != nil { return false }
            if stream == nil || frame.bytes.isEmpty {
                state.didArrive(frame)
                return false
            }
            frame.hole = state.hole
            state.hole = 0
            writing.enter()
            state.waiting.append(frame)
            change(&state)
            return true
        }
        if isQueued { request() } else { OutputBuffer.afterReleases(frame.whenFree) }
    }

    package func advance() {
        request()
        tell()
    }

    package func flush() {}

    package func end() throws(Failure) {
        writing.wait()
        let (written, hole, failure) = state.withLock { ($0.written, $0.hole, $0.failure) }
        if let failure { throw .writing(failure) }
        let start = Span.now()
        try stream?.end(after: hole, of: written)
        guard hole > 0, stream != nil else { return }
        state.withLock { $0.written += hole }
        monitor?.record(Span(stage: .write, bytes: Int(hole), start: start))
    }

    /// Ends all waiting.
    package func cancel() { stream?.cancel() }

    /// Gives the descriptor back with the flags that it had, and waits for that.
    package func close() { stream?.finish() }

    /// Asks the stream for as many writes as it may be asked for.
    private func request() {
        guard let stream else { return }
        while let frame = state.withLock({ next(&$0, most: stream.mostWrites) }) { ask(stream, frame) }
    }

    private func next(_ state: inout State, most: Int) -> Frame? {
        guard state.failure == nil, state.underWay < most, let frame = state.waiting.popFirst() else { return nil }
        state.underWay += 1
        return frame
    }

    private func ask(_ stream: any ByteSink, _ frame: consuming Frame) {
        let (asked, bytes, hole) = (Span.now(), frame.bytes, frame.hole)
        // The handler must not keep the memory.
        frame.bytes = Bytes()
        let count = bytes.count + Int(hole)
        stream.write(bytes, after: hole) { [self, frame] error in
            if let error { didFail(error, frame) } else { didEnd(frame, count, since: asked) }
        }
    }

    private func didEnd(_ frame: Frame, _ count: Int, since asked: UInt64) {
        let now = Span.now()
        let (start, isIdle) = state.withLock { state in
            state.underWay -= 1
            state.written += UInt64(count)
            state.didArrive(frame)
            change(&state)
            // Writes are done in sequence: each begins when the one before it has ended.
            defer { state.lastWritten = now }
            return (max(asked, state.lastWritten), state.isIdle)
        }
        monitor?.record(Span(stage: .write, bytes: count, start: start, end: now))
        finish(frame, .success(WriteEnd(isIdle: isIdle, isContinued: frame.isContinued)))
    }

    private func didFail(_ error: Errno, _ frame: Frame) {
        let dropped = state.withLock { state in
            state.underWay -= 1
            state.failure = state.failure ?? error
            defer { state.waiting = [] }
            return state.waiting
        }
        state.withLock { change(&$0) }
        for frame in dropped {
            writing.leave()
            OutputBuffer.afterReleases(frame.whenFree)
        }
        tell()
        finish(frame, .failure(error))
    }

    private func finish(_ frame: Frame, _ outcome: Result<WriteEnd, Errno>) {
        state.withLock { $0.onWritten }?(outcome)
        OutputBuffer.afterReleases(frame.whenFree)
        writing.leave()
    }

    private func change(_ state: inout State) { state.onWriting?(!state.isIdle) }

    /// Reports to the monitor what has arrived, and whether the run waits for more: after a failure it does for ever,
    /// since chunks that were read are never done.
    private func tell() {
        guard let monitor else { return }
        state.withLock { state in
            let isWriting = !state.isIdle || state.failure != nil
            monitor.didDeliver(state.untold, isWriting: isWriting)
            state.untold = Delivery()
        }
    }
}
