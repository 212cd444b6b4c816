internal import DequeModule
package import Dispatch
internal import Synchronization

/// Reads a `RangeSource` in order. To hide the latency of each read, several threads read pieces ahead.
///
/// It begins with a few threads, and adds more as long as that increases the bytes per second.
package final class RangeStream: ByteSource {
    /// Ranges fewer bytes apart are read together, with the gap between them: another request would take longer.
    fileprivate static let smallGap: UInt64 = 256 << 10
    /// The most pieces that are held, and the most that are read at the same time.
    fileprivate static let mostPieces = 16

    private let origin: any RangeSource
    /// The range of the origin to read. Offsets of the stream count from its start.
    private let extent: Range<UInt64>
    private let isShared: Bool
    private let pool: BufferPool
    private let state: Mutex<ReadAhead>
    /// Signalled when a piece has arrived, and when the waiting ends.
    private let arrival = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - isShared: whether others read the origin too, so that `cancel` must not cancel it.
    ///   - pieceSize: the size of a read in bytes.
    package init(
        _ origin: any RangeSource, _ extent: Range<UInt64>, isShared: Bool = false, pieceSize: UInt64 = 1 << 20
    ) {
        self.origin = origin
        self.isShared = isShared
        self.extent = extent
        pool = BufferPool(capacity: Int(min(2 * pieceSize, UInt64(extent.count))))
        state = Mutex(ReadAhead(extent, pieceSize))
    }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        while true {
            startReads()
            let (piece, position, isOver, isAtEnd) = state.withLock {
                ($0.pieces.first, $0.position, $0.isOver, $0.isAtEnd)
            }
            if isOver { return Bytes() }
            if isAtEnd { return nil }
            if let piece, let outcome = piece.outcome.withLock({ $0 }) {
                let bytes = try outcome.get()
                let start = Int(position - piece.range.lowerBound)
                let end = min(bytes.count, start + count)
                state.withLock { $0.advance(to: piece.range.lowerBound + UInt64(end)) }
                return bytes.slice(start..<end)
            }
            state.withLock { $0.width.isAwaited = true }
            if arrival.wait(timeout: deadline ?? .distantFuture) == .timedOut { return Bytes() }
        }
    }

    package func seek(to offset: UInt64) -> Bool {
        state.withLock { $0.seek(to: min(extent.upperBound, extent.lowerBound + offset), within: extent) }
        return true
    }

    package func expect(_ ranges: @escaping @Sendable () -> Range<UInt64>?) {
        let start = extent.lowerBound
        state.withLock { $0.expect { ranges().map { start + $0.lowerBound..<start + $0.upperBound } } }
    }

    package func endWaiting() {
        state.withLock { $0.isOver = true }
        arrival.signal()
    }

    package func cancel() {
        state.withLock { $0.isOver = true }
        if !isShared { origin.cancel() }
        arrival.signal()
    }

    /// Starts threads for the pieces that may be read now. They wait for nothing but the origin.
    private func startReads() {
        while let piece = state.withLock({ $0.pieceForThread() }) {
            // Without a thread, the reader itself waits for its piece.
            do throws(Failure) { try startThread(isSpare: true) { [self] in fetch(piece) } } catch { fetch(piece) }
        }
    }

    /// Reads a piece, and then more until enough are held.
    private func fetch(_ first: RangePiece) {
        var next: RangePiece? = first
        while let piece = next {
            let outcome = Result { () throws(Failure) in
                let buffer = try OutputBuffer(from: pool)
                try origin.fill(buffer.memory.extracting(..<piece.range.count), from: piece.range.lowerBound)
                return buffer.finish(count: piece.range.count)
            }
            piece.outcome.withLock { $0 = outcome }
            state.withLock { $0.width.note(piece.range.count) }
            arrival.signal()
            next = state.withLock { $0.nextPiece() }
        }
    }
}

/// A range of the origin that is read with one call.
private final class RangePiece: Sendable {
    let range: Range<UInt64>
    /// Nil until it has arrived.
    let outcome = Mutex<Result<Bytes, Failure>?>(nil)

    init(_ range: Range<UInt64>) { self.range = range }
}

/// Which pieces are read, and which come next.
private struct ReadAhead {
    /// The pieces that have arrived or are being read, in the order of reading.
    private(set) var pieces = Deque<RangePiece>()
    /// The offset of the next byte that is handed out.
    private(set) var position: UInt64
    private var threads = 0
    var width = ReadWidth()
    var isOver = false
    private let pieceSize: UInt64
    /// The range to read after the pieces; after that come the ranges that `ranges` returns.
    private var rest: Range<UInt64>
    private var ranges: () -> Range<UInt64>? = { nil }
    /// The next of these ranges, fetched ahead so that a nearby one can be joined with `rest`.
    private var coming: Range<UInt64>?

    init(_ extent: Range<UInt64>, _ pieceSize: UInt64) {
        self.pieceSize = pieceSize
        rest = extent
        position = extent.lowerBound
    }

    mutating func expect(_ ranges: @escaping () -> Range<UInt64>?) {
        pieces.removeAll()
        rest = position..<position
        self.ranges = ranges
        coming = ranges()
    }

    var isAtEnd: Bool { pieces.isEmpty && rest.isEmpty && coming == nil }

    /// The piece for another thread, which is counted; nil if there are enough threads or pieces.
    mutating func pieceForThread() -> RangePiece? {
        guard threads < width.reads else { return nil }
        threads += 1
        return nextPiece()
    }

    /// The next piece for a thread; nil if the thread ends.
    mutating func nextPiece() -> RangePiece? {
        guard !isOver, pieces.count < min(RangeStream.mostPieces, 2 * width.reads), let range = nextRange() else {
            threads -= 1
            return nil
        }
        let piece = RangePiece(range)
        pieces.append(piece)
        return piece
    }

    private mutating func nextRange() -> Range<UInt64>? {
        if rest.isEmpty, let next = coming {
            rest = next
            coming = ranges()
        }
        while let next = coming, next.lowerBound >= rest.upperBound,
            next.lowerBound - rest.upperBound < RangeStream.smallGap
        {
            rest = rest.lowerBound..<next.upperBound
            coming = ranges()
        }
        if rest.isEmpty { return nil }
        // A rest that is hardly more than a piece is not worth another request.
        let end = UInt64(rest.count) <= 2 * pieceSize ? rest.upperBound : rest.lowerBound + pieceSize
        defer { rest = end..<rest.upperBound }
        return rest.lowerBound..<end
    }

    /// Continues at an offset within the first piece, or at its end.
    mutating func advance(to offset: UInt64) {
        position = offset
        if let piece = pieces.first, offset >= piece.range.upperBound { pieces.removeFirst() }
    }

    mutating func seek(to offset: UInt64, within extent: Range<UInt64>) {
        if offset == position, pieces.first.map({ $0.range.contains(offset) }) ?? true { return }
        position = offset
        while let piece = pieces.first, !piece.range.contains(offset) { pieces.removeFirst() }
        if !pieces.isEmpty { return }
        while !rest.contains(offset), let next = coming {
            rest = next
            coming = ranges()
        }
        // After an offset that was not expected, anything may be read.
        rest = offset..<(rest.contains(offset) ? rest.upperBound : extent.upperBound)
    }
}

/// Finds how many reads at the same time are worthwhile.
private struct ReadWidth {
    /// The factor by which the rate must grow for more reads to be worthwhile.
    private static let worthWhile = 1.1

    private(set) var reads = 4
    /// Whether the reader has waited for a piece since the last change: otherwise more reads would not help.
    var isAwaited = false
    /// The rate before the last increase, in bytes per nanosecond.
    private var best = 0.0
    private var isSettled = false
    private var bytes = 0
    private var pieces = 0
    private var start = DispatchTime.now().uptimeNanoseconds

    /// Counts a piece that has arrived.
    mutating func note(_ count: Int) {
        bytes += count
        pieces += 1
        guard !isSettled, pieces >= 2 * reads else { return }
        let now = DispatchTime.now().uptimeNanoseconds
        let rate = Double(bytes) / Double(max(1, now - start))
        if isAwaited {
            isSettled = rate < best * Self.worthWhile || reads >= RangeStream.mostPieces
            best = rate
            if !isSettled { reads = min(RangeStream.mostPieces, 2 * reads) }
        }
        bytes = 0
        pieces = 0
        start = now
        isAwaited = false
    }
}
