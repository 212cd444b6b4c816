internal import ByteStreams
internal import Dispatch
internal import Synchronization

/// Gathers the bytes of a source into what the cutters ask for: chunks of a size, or what comes within a time.
///
/// One thread calls it, and waits in it; any thread may end or cancel it.
final class ChunkReader: Sendable {
    private struct State {
        var arrived = Bytes()
        /// What came last in small pieces, which would take a page and a record each.
        var tail: [UInt8] = []
        /// Bytes that were read, by whomever.
        var total: UInt64 = 0
        /// Where the next byte to arrive lies.
        var position: UInt64 = 0
        var isEnded = false
        var failure: Failure?
        /// Receives whether the reader waits for input.
        var onWaiting: (@Sendable (Bool) -> Void)?
    }

    /// Smaller pieces are copied together.
    private static let smallSize = 64 << 10
    /// The most that is copied together, in bytes.
    private static let tailSize = 1 << 20

    let source: Source
    private let stream: any ByteSource
    /// The same, if there is a rate to keep to.
    private let limited: RateLimitedSource?
    private let state = Mutex(State())
    private let monitor: Monitor?
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
        let opened = try source.open()
        limited = rateLimit.map { RateLimitedSource(opened, $0) }
        stream = limited ?? opened
        holes = Mutex(FileHoles(source))
        // The latch may outlive the run, and what is shared between runs would hold them all.
        latch.onFailure { [weak self] in self?.cancel() }
        self.inputEnd?.onAsk { [weak self] in self?.end() }
    }

    /// Bytes that were read.
    var total: UInt64 { state.withLock { $0.total } }

    /// Reports from now on when the reader begins to wait for input, and when that has ended.
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
            if arrived >= count || isEnded && arrived > 0 || isLate { return take(count) }
            if isEnded { return nil }
            if deadline == nil, arrived > 0 || !fromFirstByte, patience != .never { deadline = .now() + patience }
            fetch(count - arrived, until: deadline)
        }
    }

    /// Waits for all these bytes of a file, counted from where its descriptor stood.
    ///
    /// - Throws: `sourceShrank` if they are not all there.
    func read(_ range: Range<UInt64>) throws(Failure) -> Bytes {
        let isPlaced = stream.seek(to: range.lowerBound)
        precondition(isPlaced, "ranges are read of files only")
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

    /// The place of the next bytes of a file, for a worker to read them itself.
    ///
    /// - Parameter wanted: how much of them it will read, from the first on; nil for nothing.
    /// - Returns: fewer bytes than `count` before what was the end of the file; nil from there on, where `read` tells
    ///   whether it grew, and for what is no file or has to keep to a rate.
    func lend(_ count: Int, _ wanted: (FileRange) throws(Failure) -> FileRange?) throws(Failure) -> FileRange? {
        guard let next = nextRange(count), let range = try wanted(next), pass(range) else { return nil }
        return range
    }

    /// Passes over the next bytes of a file if they all lie in a hole.
    ///
    /// - Returns: how many zeros come there, fewer than `count` at the end of the file; nil if data does, and where
    ///   `lend` has nothing to lend.
    func skipHole(_ count: Int) -> Int? {
        let range = holes.withLock { holes -> FileRange? in
            guard holes != nil, let range = nextRange(count) else { return nil }
            return holes?.contain(range.start..<range.start + UInt64(range.count)) == true ? range : nil
        }
        guard let range, pass(range) else { return nil }
        let now = Span.now()
        monitor?.record(Span(stage: .read, bytes: range.count, start: now, end: now))
        return range.count
    }

    /// The next bytes of a file, if nothing was read beyond where they begin.
    private func nextRange(_ count: Int) -> FileRange? {
        guard let size = source.size, limited == nil else { return nil }
        let (offset, isBetween) = state.withLock { ($0.position, $0.arrived.isEmpty && $0.tail.isEmpty) }
        guard isBetween, offset < size else { return nil }
        return source.range(offset..<min(size, offset + UInt64(count)))
    }

    /// Goes on behind a range. A file that can't be positioned can only be read in order.
    private func pass(_ range: FileRange) -> Bool {
        let end = range.offset + UInt64(range.count)
        guard stream.seek(to: end) else { return false }
        state.withLock { state in
            state.position = end
            state.total += UInt64(range.count)
        }
        return true
    }

    /// Counts bytes that were read without the reader.
    func count(_ number: Int) { state.withLock { $0.total += UInt64(number) } }

    /// Waits until so many bytes may be read without the reader.
    ///
    /// - Throws: `cancelled`.
    func waitForRate(_ count: Int) throws(Failure) {
        var allowed = 0
        while let limited, allowed < count {
            guard let more = limited.allow(count - allowed) else { throw .cancelled }
            allowed += more
        }
    }

    /// Ends the input here: what has come is all that there is.
    func end() {
        state.withLock { $0.isEnded = true }
        stream.endWaiting()
    }

    /// Gives the descriptor back with the flags that it had, and waits for that.
    func close() {
        inputEnd?.onAsk(nil)
        stream.finish()
    }

    private func cancel() {
        state.withLock { state in
            if state.failure == nil { state.failure = .cancelled }
        }
        stream.cancel()
    }

    private func take(_ count: Int) -> Bytes {
        state.withLock { state in
            Self.flush(&state)
            return state.arrived.removeFirst(count)
        }
    }

    /// Reads some of what is missing, or notes why there is none.
    private func fetch(_ count: Int, until deadline: DispatchTime?) {
        let start = Span.now()
        let outcome = Result { () throws(Failure) in try stream.read(count, until: deadline) }
        state.withLock { state in
            switch outcome {
            case .success(let bytes?): Self.append(bytes, to: &state)
            case .success(nil):
                state.isEnded = true
                if let size = source.size, state.position < size, state.failure == nil {
                    state.failure = .sourceShrank(expected: size, read: state.position)
                }
            case .failure(let failure): if state.failure == nil { state.failure = failure }
            }
        }
        guard case .success(let bytes?) = outcome, !bytes.isEmpty else { return }
        monitor?.record(Span(stage: .read, bytes: bytes.count, start: start, end: Span.now()))
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
