internal import DequeModule

/// A filter for ranges of a content that comes only once, and whose size shows at its end: holds what may belong to
/// them, and hands it on after everything else.
final class HeldRanges: ContentFilter {
    private struct State {
        var ranges: [HeldRange]
        var position: UInt64 = 0
    }

    private let most: UInt64
    private let state: Locked<State>

    /// - Parameter most: the most bytes that are held.
    init(_ ranges: [ContentRange], most: UInt64) {
        self.most = most
        state = Locked(State(ranges: ranges.map(HeldRange.init)))
    }

    /// Bytes of the content so far.
    var position: UInt64 { state.withLock { $0.position } }
    /// Bytes of the ranges, once all of the content has come.
    var count: UInt64 {
        state.withLock { state in
            state.ranges.reduce(0) { $0 + UInt64($1.range.resolved(in: state.position).count) }
        }
    }

    func take(_ bytes: Bytes, isContinued: Bool) throws(Failure) -> Bytes {
        try state.withLock { state throws(Failure) in
            try bytes.forEachRegion { region throws(Failure) in
                for number in state.ranges.indices { state.ranges[number].take(region, at: state.position) }
                state.position += UInt64(region.byteCount)
                if state.ranges.reduce(0, { $0 + $1.count }) > most { throw .tooManyHeld(most: most) }
            }
        }
        return Bytes()
    }

    var end: Bytes {
        state.withLock { state in
            var parts: [Bytes] = []
            for number in state.ranges.indices {
                parts.append(state.ranges[number].finish(contentSize: state.position))
            }
            return Bytes(joining: parts)
        }
    }
}

/// The bytes of a content that one range may have.
private struct HeldRange {
    /// Copies, because the memory of a frame may be much larger than what is needed of it.
    private static let blockSize = 1 << 20

    let range: ContentRange
    private var blocks = Deque<[UInt8]>()
    /// Where in the content the first held byte lies.
    private var start: UInt64 = 0
    private(set) var count: UInt64 = 0

    init(_ range: ContentRange) { self.range = range }

    mutating func take(_ region: RawSpan, at position: UInt64) {
        var needed = position..<position + UInt64(region.byteCount)
        if let end = range.end {
            needed = range.resolved(in: end).clamped(to: needed)
        }
        if needed.isEmpty || range.isEmpty { return }
        if count == 0 { start = needed.lowerBound }
        var rest = region.extracting(Int(needed.lowerBound - position)..<Int(needed.upperBound - position))
        while !rest.isEmpty {
            if blocks.last.map({ $0.count == Self.blockSize }) ?? true {
                blocks.append([])
                blocks[blocks.count - 1].reserveCapacity(Self.blockSize)
            }
            let part = rest.extracting(first: Self.blockSize - blocks[blocks.count - 1].count)
            blocks[blocks.count - 1].append(copying: part)
            rest = rest.extracting(part.byteCount...)
        }
        count += UInt64(needed.count)
        guard case .beforeEnd(let distance) = range.start else { return }
        while let first = blocks.first, count - UInt64(first.count) >= distance {
            blocks.removeFirst()
            count -= UInt64(first.count)
            start += UInt64(first.count)
        }
    }

    /// What the range has of a content of this size. Nothing is held after it.
    mutating func finish(contentSize: UInt64) -> Bytes {
        let wanted = range.resolved(in: contentSize)
        var parts: [Bytes] = []
        while let block = blocks.popFirst() {
            let part = wanted.clamped(to: start..<start + UInt64(block.count))
            if !part.isEmpty {
                parts.append(Bytes(block[Int(part.lowerBound - start)..<Int(part.upperBound - start)]))
            }
            start += UInt64(block.count)
        }
        count = 0
        return Bytes(joining: parts)
    }
}
