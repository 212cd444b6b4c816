internal import Dispatch
internal import Synchronization
internal import SystemPackage

/// Reads a descriptor in order, through a stream channel of Dispatch, as much at a time as it is asked for.
///
/// One thread calls `read`, and waits there; the bytes arrive on a queue of the reader's own.
final class ChunkReader: Sendable {
    private struct State {
        var arrived = Bytes()
        var total: UInt64 = 0
        var isEnded = false
        var isReading = false
        /// Bytes that were asked for and have not come.
        var missing = 0
        var lastArrival: UInt64 = 0
        var failure: Failure?
    }

    private let channel: DispatchIO
    private let queue = DispatchQueue(label: "sluice.reader")
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let closed = DispatchGroup()
    private let monitor: Monitor?
    private let rateLimit: RateLimit?

    /// - Parameter source: its descriptor stays open.
    init(_ source: Source, rateLimit: RateLimit? = nil, latch: FailureLatch, monitor: Monitor?) {
        self.monitor = monitor
        self.rateLimit = rateLimit
        let closed = closed
        closed.enter()
        channel = DispatchIO(type: .stream, fileDescriptor: source.descriptor.rawValue, queue: queue) { _ in
            closed.leave()
        }
        // A pipe delivers nothing before the low-water mark, 1 MiB, or the end: what trickles in is passed on in time.
        if !source.isFile { channel.setInterval(interval: .milliseconds(100), flags: .strictInterval) }
        latch.onFailure { [self] in
            channel.close(flags: .stop)
            end(.cancelled)
        }
    }

    /// Bytes that came from the descriptor.
    var total: UInt64 { state.withLock { $0.total } }

    /// Waits for `count` bytes.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for all of them; then there are fewer.
    ///   - fromFirstByte: whether patience begins when something has come; otherwise there may be none.
    /// - Returns: fewer bytes than `count` at the end of the input, or when patience ended; nil if the input had ended.
    func read(
        _ count: Int, within patience: DispatchTimeInterval = .never, fromFirstByte: Bool = true
    ) throws(Failure) -> Bytes? {
        var deadline: DispatchTime?
        while true {
            let (bytes, isEnded, hasSome) = try take(count)
            if let bytes { return bytes }
            if isEnded { return nil }
            if deadline == nil, hasSome || !fromFirstByte, patience != .never { deadline = .now() + patience }
            if arrival.wait(timeout: deadline ?? .distantFuture) == .timedOut {
                return state.withLock { state in
                    defer { state.arrived = Bytes() }
                    return state.arrived
                }
            }
        }
    }

    /// Waits for the first `count` bytes, which are read again later; there may be fewer at the end of the input.
    func peek(_ count: Int) throws(Failure) -> Bytes {
        guard var bytes = try read(count) else { return Bytes() }
        state.withLock { state in
            let rest = state.arrived
            state.arrived = bytes
            state.arrived.append(rest)
        }
        return bytes.removeFirst(count)
    }

    /// Closes the channel, which gives the descriptor back with the flags it had, and waits for that.
    func close() {
        channel.close()
        closed.wait()
    }

    /// Takes what is wanted if it is there; else asks for it.
    private func take(_ count: Int) throws(Failure) -> (bytes: Bytes?, isEnded: Bool, hasSome: Bool) {
        let (taken, failure, missing) = state.withLock { state in
            let missing = count - state.arrived.count
            if missing <= 0 || (state.isEnded && !state.arrived.isEmpty && state.failure == nil) {
                let bytes = state.arrived.removeFirst(count)
                return ((bytes: Bytes?.some(bytes), isEnded: false, hasSome: true), Failure?.none, 0)
            }
            let isIdle = !state.isReading && !state.isEnded
            if isIdle { state.isReading = true }
            let nothing = (bytes: Bytes?.none, isEnded: state.isEnded, hasSome: !state.arrived.isEmpty)
            return (nothing, state.failure, isIdle ? missing : 0)
        }
        if let failure { throw failure }
        if missing > 0 { ask(for: missing) }
        return taken
    }

    private func ask(for count: Int) {
        state.withLock { $0.lastArrival = Span.now() }
        guard let rateLimit else { return read(upTo: count) }
        let count = min(count, rateLimit.quantum)
        state.withLock { $0.missing = count }
        queue.asyncAfter(deadline: rateLimit.reserve(count)) { [self] in read(upTo: count) }
    }

    private func read(upTo count: Int) {
        channel.read(offset: 0, length: count, queue: queue) { @Sendable [self] isDone, data, error in
            if error != 0 {
                end(.reading(Errno(rawValue: error)))
            } else {
                receive(Bytes(data ?? .empty), isDone: isDone)
            }
        }
    }

    private func receive(_ bytes: Bytes, isDone: Bool) {
        let now = Span.now()
        let (start, missing) = state.withLock { state in
            // The interval delivers nothing when nothing came.
            defer { if !bytes.isEmpty { state.lastArrival = now } }
            state.total += UInt64(bytes.count)
            state.arrived.append(bytes)
            state.missing -= bytes.count
            if isDone {
                state.isReading = false
                // The end of the input is a last call without bytes.
                if bytes.isEmpty { state.isEnded = true }
            }
            return (state.lastArrival, state.missing)
        }
        if isDone, missing > 0 { rateLimit?.giveBack(missing) }
        if !bytes.isEmpty { monitor?.record(Span(stage: .read, bytes: bytes.count, start: start, end: now)) }
        arrival.signal()
    }

    private func end(_ failure: Failure) {
        state.withLock { state in
            if state.failure == nil { state.failure = failure }
            state.isEnded = true
        }
        arrival.signal()
    }
}
