package import ByteStreams
internal import DequeModule
internal import Dispatch
internal import Synchronization
package import SystemPackage

/// The queue before a stream, and the only place where written bytes are counted. Progress and statistics use that
/// count, and output may be held back again when the queue is empty.
package final class OutputQueue: ContentSink {
    /// The end of a write.
    package struct WriteEnd {
        /// Whether no other write is left.
        package let isIdle: Bool
        /// Whether the write ended in the middle of a frame.
        package let isContinued: Bool
    }

    private struct State {
        /// Frames that the stream has not been asked to write yet.
        var waiting: Deque<ChunkResult> = []
        /// Frames that the stream is writing, in order, without their bytes.
        var underWay: Deque<ChunkResult> = []
        /// The bytes written so far, including the holes before them.
        var written: UInt64 = 0
        /// When the last write ended.
        var lastWritten: UInt64 = 0
        /// The size of the hole at the end of what has come, in bytes.
        var hole: UInt64 = 0
        /// The sizes of the frames that have arrived, and of those not reported to the monitor yet.
        var (total, unreported) = (Delivery(), Delivery())
        var failure: Errno?
        var onWriting: (@Sendable (Bool) -> Void)?
        // Kept here, because a generic lock whose only content is a closure would wrap it in another thunk at each
        // access (Swift 6.3).
        var onWritten: (@Sendable (Result<WriteEnd, Errno>) -> Void)?

        var isIdle: Bool { underWay.isEmpty && waiting.isEmpty }

        mutating func didArrive(_ frame: borrowing ChunkResult) {
            let sizes = Delivery(source: frame.sourceSize, made: frame.madeSize)
            total += sizes
            unreported += sizes
        }
    }

    private let stream: (any ByteSink)?
    private let monitor: Monitor?
    private let state = Mutex(State())
    private let writing = DispatchGroup()

    /// - Parameter stream: nil if nothing is written.
    package init(_ stream: (any ByteSink)?, monitor: Monitor?) { (self.stream, self.monitor) = (stream, monitor) }

    /// The size of the output so far, including holes and what was there before.
    package var written: UInt64 { state.withLock { $0.written } }
    /// The sizes of everything that has arrived.
    package var total: Delivery { state.withLock { $0.total } }
    /// Whether everything that has come is written, or never will be.
    package var isIdle: Bool { state.withLock { $0.isIdle } }

    /// Calls `tell`, which must not wait, whenever the state "something is being written" may have changed.
    package func onWriting(_ tell: @escaping @Sendable (_ isWriting: Bool) -> Void) {
        state.withLock { $0.onWriting = tell }
    }

    /// Calls `tell` from any thread when a write has ended or failed. The caller must then call `advance`.
    package func onWritten(_ tell: @escaping @Sendable (Result<WriteEnd, Errno>) -> Void) {
        state.withLock { $0.onWritten = tell }
    }

    package func write(_ frame: consuming ChunkResult) {
        var frame = frame
        let isQueued = state.withLock { state -> Bool in
            state.hole += frame.gapBefore
            if state.failure != nil { return false }
            if stream == nil || frame.bytes.isEmpty {
                state.didArrive(frame)
                return false
            }
            frame.gapBefore = state.hole
            state.hole = 0
            writing.enter()
            state.waiting.append(frame)
            notifyWriting(&state)
            return true
        }
        if isQueued { request() }
    }

    package func advance() {
        request()
        report()
    }

    package func flush() {}

    package func end() throws(Failure) {
        writing.wait()
        let (written, hole, failure) = state.withLock { ($0.written, $0.hole, $0.failure) }
        if let failure { throw .writing(failure) }
        let start = StageSpan.now()
        try stream?.end(after: hole, of: written)
        guard hole > 0, stream != nil else { return }
        state.withLock { $0.written += hole }
        monitor?.record(StageSpan(stage: .write, bytes: Int(hole), start: start))
    }

    /// Ends all waiting.
    package func cancel() { stream?.cancel() }

    /// Restores the descriptor's original flags, and waits for that.
    package func close() { stream?.finish() }

    /// Requests as many writes as the stream allows at once.
    private func request() {
        guard let stream else { return }
        while let next = state.withLock({ next(&$0, most: stream.mostWrites) }) {
            startWriting(next.bytes, to: stream, after: next.hole)
        }
    }

    private func next(_ state: inout State, most: Int) -> (bytes: Bytes, hole: UInt64)? {
        guard state.failure == nil, state.underWay.count < most, var frame = state.waiting.popFirst() else {
            return nil
        }
        // Keep no reference to the bytes: the stream frees their memory.
        let bytes = frame.bytes
        frame.bytes = Bytes()
        state.underWay.append(frame)
        return (bytes, frame.gapBefore)
    }

    private func startWriting(_ bytes: consuming Bytes, to stream: any ByteSink, after hole: UInt64) {
        let (asked, count) = (StageSpan.now(), bytes.count + Int(hole))
        stream.write(bytes, after: hole) { [self] error in
            if let error { didFail(error) } else { didEnd(count, since: asked) }
        }
    }

    private func didEnd(_ count: Int, since asked: UInt64) {
        let now = StageSpan.now()
        let (frame, start, isIdle) = state.withLock { state in
            let frame = state.underWay.removeFirst()
            state.written += UInt64(count)
            state.didArrive(frame)
            notifyWriting(&state)
            // Writes are executed one after another: each begins when the one before it has ended.
            defer { state.lastWritten = now }
            return (frame, max(asked, state.lastWritten), state.isIdle)
        }
        monitor?.record(StageSpan(stage: .write, bytes: count, start: start, end: now))
        report()
        finish(.success(WriteEnd(isIdle: isIdle, isContinued: frame.isContinued)))
    }

    private func didFail(_ error: Errno) {
        let dropped = state.withLock { state in
            _ = state.underWay.popFirst()
            state.failure = state.failure ?? error
            notifyWriting(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for _ in dropped { writing.leave() }
        report()
        finish(.failure(error))
    }

    private func finish(_ end: Result<WriteEnd, Errno>) {
        state.withLock { $0.onWritten }?(end)
        writing.leave()
    }

    private func notifyWriting(_ state: inout State) { state.onWriting?(!state.isIdle) }

    /// Reports to the monitor what has arrived, and whether the run is waiting for more. After a failure it always
    /// reports waiting, because chunks that were read are never finished.
    private func report() {
        guard let monitor else { return }
        state.withLock { state in
            let isWriting = !state.isIdle || state.failure != nil
            monitor.didDeliver(state.unreported, isWriting: isWriting)
            state.unreported = Delivery()
        }
    }
}
