/// Makes the parity of bytes that come in order, in one pass, in memory for the parity of one set.
///
/// Whoever writes the stream gives it all bytes but those of parity and of the seek table, and asks at the end of each
/// frame whether parity is due. A batch is then written there: the frames of the sets that have ended, between two
/// descriptions.
package struct ParityEncoder: Sendable {
    /// How sets are made; other sizes are for tests.
    package struct Shape: Sendable {
        /// Bytes at the start of a set that are kept, because a set that ends within them has smaller blocks.
        package var keptSize = 16 << 20
        /// The first set has smaller blocks, lest a file that is hardly larger than what is kept gets too much parity.
        package var firstBlockSize = 16 << 10
        package var blockSize = 64 << 10
        package var groups = ParitySet.mostGroups
        package var mostSets = ParityDescription.mostSets

        package init() {}
    }

    private let share: ParityShare
    private var kept: [UInt8] = []
    private var open: OpenParitySet?
    private var batches: [[ParitySet]] = []
    /// The sets that have ended since the last batch, and their frames.
    private var ended: [ParitySet] = []
    private var frames: [[UInt8]] = []
    private let shape: Shape
    private let isPlain: Bool

    /// - Parameter isPlain: whether ISA-L is left out, which changes no byte.
    package init(_ share: ParityShare, shape: Shape = Shape(), isPlain: Bool = false) {
        (self.share, self.shape, self.isPlain) = (share, shape, isPlain)
    }

    /// The most memory in bytes, of an encoder whose batches are written when they are due: a set's parity is there
    /// twice while it is handed on.
    ///
    /// - Parameter size: the most bytes that are protected; nil if that is unknown.
    package static func memory(_ share: ParityShare, for size: Int?) -> Int {
        let shape = Shape()
        let first = ParitySet.mostGroups * share.capacity * shape.firstBlockSize
        let size = size ?? .max
        let blockSize =
            size <= shape.keptSize
            ? ParityEncoder(share).smallShape(of: size).blockSize
            : size <= first / 4 * 3 ? shape.firstBlockSize : shape.blockSize
        return min(size, shape.keptSize) + OpenParitySet.waiting(blockSize: blockSize)
            + 2 * OpenParitySet.memory(share, blockSize: blockSize)
    }

    private var count: Int { batches.reduce(ended.count) { $0 + $1.count } }
    private var openLength: Int { open?.length ?? kept.count }
    private var isFirst: Bool { batches.isEmpty && ended.isEmpty }
    private var blockSize: Int { isFirst ? shape.firstBlockSize : shape.blockSize }
    private var capacity: Int { shape.groups * share.capacity * blockSize }

    package mutating func append(_ bytes: RawSpan) {
        var rest = bytes
        while rest.byteCount > 0 {
            let count = min(rest.byteCount, capacity - openLength)
            take(rest.extracting(..<count))
            rest = rest.extracting(count...)
            if openLength == capacity { close() }
        }
    }

    private mutating func take(_ bytes: RawSpan) {
        if open == nil {
            if kept.count + bytes.byteCount <= shape.keptSize {
                bytes.withUnsafeBytes { kept.append(contentsOf: $0) }
                return
            }
            begin(blockSize: blockSize, groups: shape.groups)
        }
        open?.append(bytes)
    }

    private mutating func begin(blockSize: Int, groups: Int) {
        var set = OpenParitySet(share, blockSize: blockSize, groups: groups, isPlain: isPlain)
        set.append(kept.span.bytes)
        open = set
        kept = []
    }

    /// Ends the set.
    private mutating func close() {
        if open == nil {
            let (blockSize, groups) = smallShape(of: kept.count)
            begin(blockSize: blockSize, groups: groups)
        }
        guard var set = open.take() else { return }
        let (layout, frame) = set.finish(number: count)
        ended.append(layout)
        frames.append(frame)
    }

    /// The size of blocks and the number of groups for a set of so few bytes.
    private func smallShape(of size: Int) -> (blockSize: Int, groups: Int) {
        func powerOfTwo(_ size: Int) -> Int { size <= 1 ? 1 : 1 << (Int.bitWidth - (size - 1).leadingZeroBitCount) }
        let small = min(1024, max(ParitySet.blockSizes.lowerBound, powerOfTwo((size + 19) / 20)))
        let fullBlocks = 20 * shape.groups
        let blockSize = max(small, powerOfTwo((size + fullBlocks - 1) / fullBlocks))
        let blocks = (size + blockSize - 1) / blockSize
        return (blockSize, min(max(1, blocks / share.leastBlocks), shape.groups))
    }

    // MARK: Batches

    /// Ends the set if it is nearly full, because here is the end of a frame.
    package mutating func noteBoundary() { if openLength >= capacity / 4 * 3 { close() } }

    /// Whether a batch should be written before the next frame.
    package var isDue: Bool { !ended.isEmpty }

    /// Ends a batch after all bytes that have come. At the end of the stream, some must have come since the last one.
    ///
    /// - Returns: the sizes of its frames, of which the first and the last are descriptions.
    package mutating func endBatch() -> [Int] {
        if openLength > 0 { close() }
        precondition(!ended.isEmpty, "nothing follows the last batch")
        batches.append(ended)
        ended = []
        let description = ParityDescription.size(sets: count)
        return [description] + frames.map(\.count) + [description]
    }

    /// The frames of the batch that has ended.
    ///
    /// - Parameter tail: what will follow them; nil if the stream goes on.
    /// - Returns: nil if there are more sets than a description may have.
    package mutating func takeBatch(tail: ParityDescription.Tail?) -> [UInt8]? {
        guard count <= shape.mostSets,
            let description = ParityDescription(share: share, batches: batches, tail: tail)
        else { return nil }
        let copies = description.elements.filter { $0.kind == .description(sets: description.sets.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames.reduce(2 * description.frameSize) { $0 + $1.count })
        for (number, copy) in copies.enumerated() {
            bytes += description.encoded(at: copy)
            while number == 0, !frames.isEmpty { bytes += frames.removeFirst() }
        }
        return bytes
    }
}

extension ParityDescription {
    /// Bytes of a description of all sets.
    package var frameSize: Int { Self.size(sets: sets.count) }
}

extension ParityDescription.Tail {
    /// - Parameter bytes: those that follow the last description.
    package init(_ bytes: RawSpan) { self.init(size: UInt64(bytes.byteCount), hash: xxh64(bytes)) }
}

/// A set whose bytes are coming.
private struct OpenParitySet: Sendable {
    let blockSize: Int
    let groups: Int
    private let share: ParityShare
    private let isPlain: Bool
    /// The parity blocks, row by row, after room for the frame's header and the records.
    private var frame: [UInt8]
    private let front: Int
    private var marks: [BlockMark] = []
    /// The bytes that have not been added: up to `rounds` blocks of each group, because parity is read and written for
    /// each of them otherwise, which takes most of the time.
    private var waiting: [UInt8] = []
    private(set) var length = 0

    init(_ share: ParityShare, blockSize: Int, groups: Int, isPlain: Bool) {
        (self.share, self.blockSize, self.groups, self.isPlain) = (share, blockSize, groups, isPlain)
        front = ParityFrame.headerSize + Self.mostRecords(groups)
        frame = []
        let parity = groups * share.mostRows * blockSize
        frame.reserveCapacity(front + parity + Self.mostRecords(groups))
        frame.append(contentsOf: repeatElement(0, count: front + parity))
        waiting.reserveCapacity(Self.rounds * groups * blockSize)
    }

    private static var rounds: Int { 4 }

    private static func mostRecords(_ groups: Int) -> Int { groups * GroupRecord.size(marks: 255) }

    static func memory(_ share: ParityShare, blockSize: Int) -> Int {
        let groups = ParitySet.mostGroups
        return groups * share.mostRows * blockSize + 2 * mostRecords(groups) + 16 * groups * 255
    }

    /// The most bytes that wait to be added.
    static func waiting(blockSize: Int) -> Int { rounds * ParitySet.mostGroups * blockSize }

    mutating func append(_ bytes: RawSpan) {
        var rest = bytes
        length += bytes.byteCount
        let most = Self.rounds * groups * blockSize
        while rest.byteCount > 0 {
            let count = min(most - waiting.count, rest.byteCount)
            rest.extracting(..<count).withUnsafeBytes { waiting.append(contentsOf: $0) }
            rest = rest.extracting(count...)
            if waiting.count == most { addWaiting() }
        }
    }

    /// Adds what waits to the parity of its groups. All but the last bytes of a set come in whole rounds.
    private mutating func addWaiting() {
        let first = marks.count / groups
        let starts = Array(stride(from: 0, to: waiting.count, by: blockSize))
        for start in starts {
            marks.append(BlockMark(of: waiting.span.bytes.extracting(start..<min(start + blockSize, waiting.count))))
        }
        // The last block counts as if zeros followed.
        waiting.append(contentsOf: repeatElement(0, count: starts.count * blockSize - waiting.count))
        for group in 0..<min(groups, starts.count) {
            let blocks = stride(from: group, to: starts.count, by: groups).map { starts[$0] }
            let rows = 0..<share.mostRows
            let factors = blocks.indices.flatMap { block in
                rows.map { ParityCode.factor(capacity: share.capacity, row: $0, block: first + block) }
            }
            ParityCode.add(
                waiting, blocks, size: blockSize, by: factors, to: &frame,
                at: rows.map { front + ($0 * groups + group) * blockSize }, isPlain: isPlain)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// The set, and its frame.
    mutating func finish(number: Int) -> (ParitySet, frame: [UInt8]) {
        addWaiting()
        waiting = []
        let rows = share.rows(for: (marks.count + groups - 1) / groups)
        let layout = ParitySet(
            blockSize: blockSize, groups: groups, capacity: share.capacity, rows: rows, length: UInt64(length))
        guard let layout else { preconditionFailure("a set of impossible numbers") }
        // Of a set that is not full, not all rows are needed.
        frame.removeLast(frame.count - front - layout.paritySize)
        let shift = marks.count % groups * blockSize
        for row in 0..<rows {
            let start = front + row * groups * blockSize
            frame.rotateLeft(start..<start + groups * blockSize, by: shift)
        }
        for place in 0..<layout.parityCount {
            let start = front + place * blockSize
            marks.append(BlockMark(of: frame.span.bytes.extracting(start..<start + blockSize)))
        }
        let records = layout.records(number: number, marks)
        frame.removeFirst(front - ParityFrame.headerSize - records.count)
        frame.replace(at: 0, with: ParityFrame.set.header(frameSize: layout.frameSize))
        frame.replace(at: ParityFrame.headerSize, with: records)
        frame += records
        return (layout, frame)
    }
}

extension [UInt8] {
    /// Moves the first bytes of a range to its end.
    fileprivate mutating func rotateLeft(_ range: Range<Int>, by shift: Int) {
        if shift == 0 { return }
        let first = Array(self[range.prefix(shift)])
        let (from, to) = (range.lowerBound + shift, range.upperBound - shift)
        withUnsafeMutableBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[from..<range.upperBound])
            UnsafeMutableRawBufferPointer(rebasing: bytes[range.lowerBound..<to]).copyMemory(from: rest)
        }
        replaceSubrange(to..<range.upperBound, with: first)
    }
}
