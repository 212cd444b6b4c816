package import ByteStreams
package import Dispatch
internal import Synchronization

/// Gathers the bytes of a source as the cutters request them: a given number, or as many as arrive in time.
///
/// Only one thread reads, and waits in the calls. Any thread may end or cancel the reading.
package final class InputReader: Sendable {
    private struct State {
        var arrived = Bytes()
        /// The last small reads, copied into one array because each would otherwise take a page and a list entry.
        var tail: [UInt8] = []
        /// The bytes read so far, by the reader or by workers.
        var total: UInt64 = 0
        /// The offset in the input of the next byte to arrive.
        var position: UInt64 = 0
        var isEnded = false
        var failure: Failure?
        /// Called when the reader starts or stops waiting for input.
        var onWaiting: (@Sendable (Bool) -> Void)?
    }

    /// Smaller reads than this, in bytes, are copied together.
    private static let smallSize = 64 << 10
    /// The most bytes that are copied together.
    private static let tailSize = 1 << 20

    package let source: Source
    private let stream: any ByteSource
    /// The same source, if it has a rate limit.
    private let limited: RateLimitedSource?
    private let state = Mutex(State())
    private let monitor: Monitor?
    private let inputEnd: InputEnd?
    private let holes: Mutex<FileHoles?>

    /// - Parameters:
    ///   - source: its descriptor stays open.
    ///   - inputEnd: ends an input that is not a file.
    /// - Throws: `reading` if no descriptors are left.
    package init(
        _ source: Source, rateLimit: RateLimit? = nil, inputEnd: InputEnd? = nil, latch: FailureLatch,
        monitor: Monitor?
    ) throws(Failure) {
        self.source = source
        self.inputEnd = source.isFile ? nil : inputEnd
        self.monitor = monitor
        let opened = try source.open()
        limited = rateLimit.map { RateLimitedSource(opened, $0) }
        stream = limited ?? opened
        holes = Mutex(FileHoles(source))
        // Weak, because the latch and `inputEnd` may outlive the run.
        latch.onFailure { [weak self] in self?.cancel() }
        self.inputEnd?.onAsk { [weak self] in self?.end() }
    }

    package var total: UInt64 { state.withLock { $0.total } }

    /// Calls `tell` when the reader starts or stops waiting for input.
    package func onWaiting(_ tell: @escaping @Sendable (_ isWaiting: Bool) -> Void) {
        state.withLock { $0.onWaiting = tell }
    }

    /// Waits for `count` bytes.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for all of them.
    ///   - fromFirstByte: whether to start measuring patience at the first byte; otherwise the result may be empty.
    /// - Returns: fewer bytes than `count` at the end of the input, or when patience ran out; nil if the input had
    ///   already ended.
    package func read(
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
            if arrived >= count || isEnded && arrived > 0 || isLate { return take(count) }
            if isEnded { return nil }
            if deadline == nil, arrived > 0 || !fromFirstByte, patience != .never { deadline = .now() + patience }
            fetch(count - arrived, until: deadline)
        }
    }

    /// Says which ranges of a file will be read, one after another; nil is the end.
    package func expect(_ ranges: @escaping @Sendable () -> Range<UInt64>?) { stream.expect(ranges) }

    /// Waits for a range of a file, counted from the descriptor's initial position.
    ///
    /// - Throws: `sourceShrank` if the file ends before the range does.
    package func read(_ range: Range<UInt64>) throws(Failure) -> Bytes {
        let isPlaced = stream.seek(to: range.lowerBound)
        precondition(isPlaced, "only files have ranges")
        state.withLock { state in
            (state.position, state.arrived, state.tail) = (range.lowerBound, Bytes(), [])
            state.isEnded = false
        }
        let bytes = try read(range.count) ?? Bytes()
        if bytes.count < range.count {
            let end = range.lowerBound + UInt64(bytes.count)
            throw .sourceShrank(expected: source.size ?? end, read: end)
        }
        return bytes
    }

    /// Waits for the next `count` bytes, fewer at the end of the input, and keeps them for later reads.
    package func peek(_ count: Int) throws(Failure) -> Bytes {
        guard var bytes = try read(count) else { return Bytes() }
        state.withLock { state in
            Self.flush(&state)
            state.arrived = Bytes(joining: [bytes, state.arrived])
        }
        return bytes.removeFirst(count)
    }

    /// Skips the next bytes of a file if they all lie in a hole.
    ///
    /// - Returns: the number of zeros, fewer than `count` at the end of the file; nil if there is data, and where
    ///   `nextRange` is nil.
    package func skipHole(_ count: Int) -> Int? {
        let range = holes.withLock { holes -> Range<UInt64>? in
            guard holes != nil, let range = nextRange(count) else { return nil }
            let place = source.start + range.lowerBound..<source.start + range.upperBound
            return holes?.contain(place) == true ? range : nil
        }
        return range.flatMap(skip)
    }

    /// Skips the next bytes of a file without reading them.
    ///
    /// - Returns: the number of bytes skipped: fewer than `count` at the end of the file, and 0 where `nextRange` is
    ///   nil.
    package func skip(_ count: Int) -> Int { nextRange(count).flatMap(skip) ?? 0 }

    private func skip(_ range: Range<UInt64>) -> Int? {
        guard pass(range) else { return nil }
        let now = StageSpan.now()
        monitor?.record(StageSpan(stage: .read, bytes: range.count, start: now, end: now))
        return range.count
    }

    /// The next range of a file, which a worker may read: fewer than `count` bytes at its end. Nil at the end, where
    /// `read` finds out whether the file has grown, if bytes that were read ahead come first, and for streams and
    /// limited rates.
    package func nextRange(_ count: Int) -> Range<UInt64>? {
        guard let size = source.size, limited == nil else { return nil }
        let (offset, isDrained) = state.withLock { ($0.position, $0.arrived.isEmpty && $0.tail.isEmpty) }
        guard isDrained, offset < size else { return nil }
        return offset..<min(size, offset + UInt64(count))
    }

    /// Continues after a range that nobody reads, or a worker; returns false if the file can't be positioned.
    package func pass(_ range: Range<UInt64>) -> Bool {
        guard stream.seek(to: range.upperBound) else { return false }
        state.withLock { state in
            state.position = range.upperBound
            state.total += UInt64(range.count)
        }
        return true
    }

    /// Counts bytes that were read by others.
    package func count(_ number: Int) { state.withLock { $0.total += UInt64(number) } }

    /// Waits until the rate limit lets others read `count` bytes.
    ///
    /// - Throws: `cancelled`.
    package func waitForRate(_ count: Int) throws(Failure) {
        var allowed = 0
        while let limited, allowed < count {
            guard let more = limited.allow(count - allowed) else { throw .cancelled }
            allowed += more
        }
    }

    /// Ends the input after the bytes that have already arrived.
    package func end() {
        state.withLock { $0.isEnded = true }
        stream.endWaiting()
    }

    /// Restores the descriptor's original flags, and waits for that.
    package func close() {
        inputEnd?.onAsk(nil)
        stream.finish()
    }

    private func cancel() {
        state.withLock { $0.failure = $0.failure ?? .cancelled }
        stream.cancel()
    }

    private func take(_ count: Int) -> Bytes {
        state.withLock { state in
            Self.flush(&state)
            return state.arrived.removeFirst(count)
        }
    }

    /// Reads some of the missing bytes, or records why none are left.
    private func fetch(_ count: Int, until deadline: DispatchTime?) {
        let start = StageSpan.now()
        let outcome = Result { () throws(Failure) in try stream.read(count, until: deadline) }
        state.withLock { state in
            switch outcome {
            case .success(let bytes?): Self.append(bytes, to: &state)
            case .success(nil):
                state.isEnded = true
                if let size = source.size, state.position < size {
                    state.failure = state.failure ?? .sourceShrank(expected: size, read: state.position)
                }
            case .failure(let failure): state.failure = state.failure ?? failure
            }
        }
        switch outcome {
        case .success(let bytes?) where bytes.isEmpty: break
        case .success(nil) where source.size != nil: break
        // The wait for the end of a pipe counts as well.
        case .success(let bytes): monitor?.record(StageSpan(stage: .read, bytes: bytes?.count ?? 0, start: start))
        case .failure: break
        }
    }

    private static func append(_ bytes: Bytes, to state: inout State) {
        state.total += UInt64(bytes.count)
        state.position += UInt64(bytes.count)
        guard bytes.count < smallSize else {
            flush(&state)
            return state.arrived.append(bytes)
        }
        bytes.data.enumerateBytes { region, _, _ in state.tail += region }
        if state.tail.count >= tailSize { flush(&state) }
    }

    private static func flush(_ state: inout State) {
        guard !state.tail.isEmpty else { return }
        state.arrived.append(Bytes(state.tail))
        state.tail.removeAll(keepingCapacity: true)
    }
}
