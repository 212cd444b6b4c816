internal import CKernel
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Reads a descriptor in order, through a stream channel of Dispatch, as much at a time as it is asked for; or takes
/// what comes from a `Feed`.
///
/// One thread calls `read`, and waits there; the bytes arrive on a queue of the reader's own.
final class ChunkReader: Sendable {
    private struct State {
        var arrived = Bytes()
        /// What came last in small pieces, which would take a page and a record each.
        var tail: [UInt8] = []
        var total: UInt64 = 0
        var isEnded = false
        var lastArrival: UInt64 = 0
        var failure: Failure?
        /// Is told when somebody begins and ends to wait for the input.
        var onWaiting: (@Sendable (Bool) -> Void)?
    }

    /// The most that is read from a file at once, in bytes: 1 MiB by default, and as much as was ever asked for up to
    /// 64 MiB. It holds for every channel of the process.
    private static let largestRead = Mutex(1 << 20)
    /// Smaller pieces are copied together.
    private static let smallSize = 64 << 10
    /// The most that is asked for at once of what is no file, in bytes.
    private static let partSize = 1 << 20

    let source: Source
    /// Nil if a feed has the input.
    private let channel: DispatchIO?
    private let queue = DispatchQueue(label: "sluice.reader")
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let closed = DispatchGroup()
    private let monitor: Monitor?
    private let rateLimit: (limit: RateLimit, alarm: Alarm)?
    /// Nil for a file, which keeps nobody waiting, and for a feed.
    private let readiness: Readiness?
    private let inputEnd: InputEnd?
    /// Nil for what has none.
    private let holes: Mutex<FileHoles?>

    /// - Parameters:
    ///   - source: its descriptor stays open.
    ///   - inputEnd: ends an input that is no file.
    /// - Throws: `reading` if there are no descriptors left.
    init(
        _ source: Source, rateLimit: RateLimit? = nil, inputEnd: InputEnd? = nil, latch: FailureLatch,
        monitor: Monitor?
    ) throws(Failure) {
        self.source = source
        self.inputEnd = source.isFile ? nil : inputEnd
        self.monitor = monitor
        self.rateLimit = rateLimit.map { ($0, Alarm()) }
        holes = Mutex(FileHoles(source))
        let (needsChannel, descriptor) = (source.feed == nil, source.descriptor)
        readiness = needsChannel && !source.isFile ? try Readiness(of: descriptor) : nil
        channel = needsChannel ? Self.openChannel(descriptor, queue, closed) : nil
        // The latch may outlive the run, and what is shared between runs would hold them all.
        latch.onFailure { [weak self] in self?.cancel() }
        self.inputEnd?.onAsk { [weak self] in self?.end() }
    }

    private static func openChannel(
        _ descriptor: FileDescriptor, _ queue: DispatchQueue, _ closed: DispatchGroup
    ) -> DispatchIO {
        closed.enter()
        let channel = DispatchIO(type: .stream, fileDescriptor: descriptor.rawValue, queue: queue) { _ in
            closed.leave()
        }
        // One call of the handler for each read, when all of it has come: each call is a hop between threads.
        channel.setLimit(lowWater: .max)
        return channel
    }

    /// Bytes that came from the descriptor.
    var total: UInt64 { state.withLock { $0.total } }

    /// Tells from now on when somebody begins to wait for the input, and when that has ended.
    func onWaiting(_ tell: @escaping @Sendable (_ isWaiting: Bool) -> Void) {
        state.withLock { $0.onWaiting = tell }
    }

    /// Waits for `count` bytes.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for all of them; then there are fewer.
    ///   - fromFirstByte: whether patience begins when something has come; otherwise there may be none.
    /// - Returns: fewer bytes than `count` at the end of the input, or when patience ended; nil if the input had ended.
    func read(
        _ count: Int, within patience: DispatchTimeInterval = .never, fromFirstByte: Bool = true
    ) throws(Failure) -> Bytes? {
        let tell = state.withLock { $0.onWaiting }
        tell?(true)
        defer { tell?(false) }
        var deadline: DispatchTime?
        while true {
            let (arrived, isEnded, failure) = state.withLock {
                ($0.arrived.count + $0.tail.count, $0.isEnded, $0.failure)
            }
            if let failure { throw failure }
            let isLate = deadline.map { $0 <= .now() } ?? false
            if arrived >= count || (isEnded || isLate) && arrived > 0 { return take(count) }
            if isEnded { return nil }
            if deadline == nil, arrived > 0 || !fromFirstByte, patience != .never { deadline = .now() + patience }
            let wanted = count - arrived
            guard let ready = waitForInput(wanted, until: deadline), let allowed = waitForRate(ready, until: deadline)
            else {
                // Patience has ended, or the run, which the next turn finds.
                if deadline.map({ $0 <= .now() }) == true { return take(count) }
                continue
            }
            fetch(allowed)
        }
    }

    /// Waits for the first `count` bytes, which are read again later; there may be fewer at the end of the input.
    func peek(_ count: Int) throws(Failure) -> Bytes {
        guard var bytes = try read(count) else { return Bytes() }
        state.withLock { state in
            Self.flush(&state)
            let rest = state.arrived
            state.arrived = bytes
            state.arrived.append(rest)
        }
        return bytes.removeFirst(count)
    }

    /// The place of the next bytes of a file, which somebody else will read.
    ///
    /// - Parameter wanted: how much of them somebody will, from the first on; nil for nothing.
    /// - Returns: fewer bytes than `count` before what was the end of the file; nil from there on, where `read` tells
    ///   whether it grew, and for what is no file or has to keep to a rate.
    func lend(_ count: Int, _ wanted: (FileRange) throws(Failure) -> FileRange?) throws(Failure) -> FileRange? {
        guard let next = nextRange(count), let range = try wanted(next), moveBehind(range) else { return nil }
        return range
    }

    /// Passes over the next bytes of a file if they all lie in a hole.
    ///
    /// - Returns: how many zeros come there, fewer than `count` at the end of the file; nil if data does, and where
    ///   `lend` has nothing to lend.
    func skipHole(_ count: Int) -> Int? {
        holes.withLock { holes in
            guard holes != nil, let range = nextRange(count) else { return nil }
            let isHole = holes?.contain(range.start..<range.start + UInt64(range.count)) == true
            // Asking has moved the descriptor.
            if isHole, moveBehind(range) {
                let now = Span.now()
                monitor?.record(Span(stage: .read, bytes: range.count, start: now, end: now))
                return range.count
            }
            lseek(source.descriptor.rawValue, off_t(range.start), SEEK_SET)
            return nil
        }
    }

    /// The next bytes of a file, if nothing was read beyond where they begin.
    private func nextRange(_ count: Int) -> FileRange? {
        guard let size = source.size, rateLimit == nil else { return nil }
        let (offset, isBetween) = state.withLock { ($0.total, $0.arrived.isEmpty && $0.tail.isEmpty) }
        guard isBetween, offset < size else { return nil }
        return FileRange(
            descriptor: source.descriptor, start: source.start + offset, count: min(count, Int(size - offset)),
            inputSize: size, offset: offset)
    }

    /// The channel goes on behind a range. A file that can't be positioned can only be read in order.
    private func moveBehind(_ range: FileRange) -> Bool {
        let end = off_t(range.start) + off_t(range.count)
        guard lseek(source.descriptor.rawValue, end, SEEK_SET) == end else { return false }
        state.withLock { $0.total += UInt64(range.count) }
        return true
    }

    /// Closes the channel, which gives the descriptor back with the flags it had, and waits for that.
    func close() {
        inputEnd?.onAsk(nil)
        channel?.close()
        closed.wait()
    }

    private func take(_ count: Int) -> Bytes {
        state.withLock { state in
            Self.flush(&state)
            return state.arrived.removeFirst(count)
        }
    }

    /// Takes what came in.
    private static func append(_ bytes: Bytes, to state: inout State) {
        guard bytes.count < smallSize else {
            flush(&state)
            return state.arrived.append(bytes)
        }
        bytes.data.enumerateBytes { region, _, _ in state.tail += region }
        if state.tail.count >= partSize { flush(&state) }
    }

    private static func flush(_ state: inout State) {
        guard !state.tail.isEmpty else { return }
        state.arrived.append(Bytes(state.tail))
        state.tail.removeAll(keepingCapacity: true)
    }

    /// Waits until the rate allows a read; returns its size, or nil at the deadline or when the run has failed.
    func waitForRate(_ count: Int, until deadline: DispatchTime?) -> Int? {
        guard let (limit, alarm) = rateLimit else { return count }
        let count = min(count, limit.quantum)
        guard let time = limit.reserve(count, before: deadline ?? .distantFuture) else {
            _ = alarm.sleep(until: deadline ?? .distantFuture)
            return nil
        }
        return alarm.sleep(until: time) ? count : nil
    }

    /// Waits until there is something to read; returns its size, or nil at the deadline or when the run has failed.
    private func waitForInput(_ count: Int, until deadline: DispatchTime?) -> Int? {
        state.withLock { $0.lastArrival = Span.now() }
        if let feed = source.feed { return feed.wait(for: count, until: deadline).map { min(count, $0) } }
        guard let readiness else { return count }
        return readiness.wait(for: count, until: deadline).map { min(count, $0, Self.partSize) }
    }

    /// A chunk that comes in one read comes in one region: nothing has to be gathered (docs/decisions/whole-reads.md).
    static func allowReads(of count: Int) {
        largestRead.withLock { largest in
            guard count > largest, largest < 64 << 20 else { return }
            largest = min(count, 64 << 20)
            sluice_set_largest_read(largest)
        }
    }

    private func fetch(_ count: Int) {
        let before = total
        defer {
            let missing = count - Int(total - before)
            if missing > 0 { rateLimit?.limit.giveBack(missing) }
        }
        guard let channel else { return draw(count) }
        if source.isFile { Self.allowReads(of: count) }
        // A stream channel reads where the descriptor stands. But libdispatch advises the kernel to read ahead from
        // here.
        channel.read(offset: off_t(source.start + before), length: count, queue: queue) {
            @Sendable [self] isDone, data, error in
            receive(Bytes(data ?? .empty), isDone: isDone, error: error)
        }
        arrival.wait()
    }

    /// Takes some bytes from the feed.
    private func draw(_ count: Int) {
        do throws(Failure) {
            let bytes = try source.feed?.take(count)
            keep(bytes ?? Bytes(), isEnd: bytes == nil, nil)
        } catch {
            keep(Bytes(), isEnd: false, error)
        }
    }

    private func receive(_ bytes: Bytes, isDone: Bool, error: Int32) {
        dispatchPrecondition(condition: .onQueue(queue))
        // A channel that was stopped says so here, perhaps before `cancel` does.
        let failure: Failure? =
            switch error {
            case 0: nil
            case ECANCELED: .cancelled
            default: .reading(Errno(rawValue: error))
            }
        // The end of the input is a last call without bytes.
        keep(bytes, isEnd: isDone && bytes.isEmpty, failure)
        if isDone { arrival.signal() }
    }

    private func keep(_ bytes: Bytes, isEnd: Bool, _ failure: Failure?) {
        let now = Span.now()
        let start = state.withLock { state in
            defer { state.lastArrival = now }
            state.total += UInt64(bytes.count)
            Self.append(bytes, to: &state)
            if state.failure == nil { state.failure = failure }
            if isEnd { state.isEnded = true }
            if state.isEnded, state.failure == nil, let size = source.size, state.total < size {
                state.failure = .sourceShrank(expected: size, read: state.total)
            }
            return state.lastArrival
        }
        if !bytes.isEmpty { monitor?.record(Span(stage: .read, bytes: bytes.count, start: start, end: now)) }
    }

    /// Takes note of bytes that somebody else has read from the descriptor for this run.
    func note(_ count: Int) { state.withLock { $0.total += UInt64(count) } }

    /// What has come is all there is.
    func end() {
        state.withLock { $0.isEnded = true }
        wake()
    }

    private func wake() {
        readiness?.cancel()
        source.feed?.cancel()
        rateLimit?.alarm.cancel()
    }

    private func cancel() {
        state.withLock { state in
            if state.failure == nil { state.failure = .cancelled }
        }
        channel?.close(flags: .stop)
        wake()
    }
}
