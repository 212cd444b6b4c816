/// What the parity of a stream is, and where it lies. Each batch of sets has it twice, before its frames and after
/// them, for all sets up to there.
///
/// `0x184D2A56 | size u32 | "SLUICE" | version u8 = 1 | kind u8 = 2 | position u64 | tail size u64 | tail XXH64 u64 |
/// per cent u16 | flags u16 | S u32 | S x { length u64, block size u32, groups u8, K u8, rows u8, flags u8 } |
/// frame size u32 | XXH64 u64`
package struct ParityDescription: Equatable, Sendable {
    private static let (numbersSize, setSize, endSize) = (ParityFrame.headerSize + 32, 16, 12)
    /// The most sets: 64 TiB.
    static let mostSets = 1 << 16
    static let mostBytes = size(sets: mostSets)

    /// What follows the last description: the seek table, or nothing.
    package struct Tail: Equatable, Sendable {
        package var size: UInt64
        /// XXH64.
        package var hash: UInt64

        package init(size: UInt64, hash: UInt64) { (self.size, self.hash) = (size, hash) }
    }

    /// A stretch of the stream.
    package struct Element: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            case data(set: Int)
            case frame(set: Int)
            /// A description of so many sets.
            case description(sets: Int)
            case tail
        }

        package let kind: Kind
        package let range: Range<UInt64>
    }

    package let share: ParityShare
    /// In the order of the stream.
    package let sets: [ParitySet]
    /// For each set, whether its batch ends with it.
    private let endsBatch: [Bool]
    /// Nil if the stream goes on after this description.
    package let tail: Tail?
    /// What the stream consists of, in order.
    package let elements: [Element]
    /// Where the data and the frame of each set begin in the stream.
    private let starts: [(data: UInt64, frame: UInt64)]

    package static func == (left: Self, right: Self) -> Bool {
        left.share == right.share && left.sets == right.sets && left.endsBatch == right.endsBatch
            && left.tail == right.tail
    }

    /// - Parameter batches: the sets that lie together before their frames.
    /// - Returns: nil if there are none, or too many bytes.
    package init?(share: ParityShare, batches: [[ParitySet]], tail: Tail?) {
        (self.share, self.tail, sets) = (share, tail, Array(batches.joined()))
        endsBatch = batches.flatMap { batch in batch.indices.map { $0 == batch.count - 1 } }
        let count = sets.reduce(UInt64(0)) { $0.addingClamped($1.length) }
        guard !sets.isEmpty, sets.count <= Self.mostSets, !batches.contains([]), count <= 1 << 60,
            tail?.size ?? 0 <= 1 << 60
        else { return nil }
        var (elements, end) = ([Element](), UInt64(0))
        var starts = [(data: UInt64, frame: UInt64)](repeating: (0, 0), count: sets.count)
        func append(_ kind: Element.Kind, _ size: UInt64) {
            elements.append(Element(kind: kind, range: end..<end + size))
            end += size
        }
        var first = 0
        for batch in batches {
            for (number, set) in batch.enumerated() {
                starts[first + number].data = end
                append(.data(set: first + number), set.length)
            }
            let description = UInt64(Self.size(sets: first + batch.count))
            append(.description(sets: first + batch.count), description)
            for (number, set) in batch.enumerated() {
                starts[first + number].frame = end
                append(.frame(set: first + number), UInt64(set.frameSize))
            }
            append(.description(sets: first + batch.count), description)
            first += batch.count
        }
        if let tail { append(.tail, tail.size) }
        (self.elements, self.starts) = (elements, starts)
    }

    static func size(sets: Int) -> Int { numbersSize + setSize * sets + endSize }

    // MARK: The stream

    /// Bytes of the stream, as far as it is described.
    package var size: UInt64 { elements.last?.range.upperBound ?? 0 }
    /// Where its last description ends.
    package var tailStart: UInt64 { size - (tail?.size ?? 0) }
    /// Bytes that are parity, and what describes it.
    package var paritySize: UInt64 { tailStart - sets.reduce(0) { $0 + $1.length } }
    /// How many bytes a file has at least in which the stream is looked for: about half of it, because nothing is
    /// computed from less. Only of a small stream, to which parity adds more than it has itself, less may be enough.
    package var leastSize: UInt64 { size / 2 - min(size / 2, Self.mostExcess) }
    static let mostExcess: UInt64 = 64 << 10

    /// Where a block of a set lies.
    func range(of index: Int, in set: Int) -> Range<UInt64> {
        let blockSize = UInt64(sets[set].blockSize)
        let start =
            sets[set].isData(index)
            ? starts[set].data + UInt64(index) * blockSize
            : frameStart(of: set) + UInt64(sets[set].recordsStart(copy: 0) + sets[set].recordsSize)
                + UInt64(index - sets[set].blockCount) * blockSize
        return start..<start + UInt64(sets[set].size(of: index))
    }

    func frameStart(of set: Int) -> UInt64 { starts[set].frame }
    func dataStart(of set: Int) -> UInt64 { starts[set].data }

    /// The place of the element that has a byte of the stream.
    func element(at offset: UInt64) -> Int {
        var (low, high) = (0, elements.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if offset < elements[middle].range.upperBound { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: Bytes

    /// The description that the stream has at an element.
    func encoded(at element: Element) -> [UInt8] {
        guard case .description(let count) = element.kind else { return [] }
        return encoded(sets: count, at: element.range.lowerBound)
    }

    private func encoded(sets count: Int, at position: UInt64) -> [UInt8] {
        var bytes = ParityFrame.description.header(frameSize: Self.size(sets: count))
        let isLast = count == sets.count
        for number in [position, isLast ? tail?.size ?? 0 : 0, isLast ? tail?.hash ?? 0 : 0] {
            bytes.append(littleEndian: number)
        }
        bytes.append(littleEndian: UInt16(share.percent))
        bytes.append(littleEndian: UInt16(isLast && tail != nil ? 1 : 0))
        bytes.append(littleEndian: UInt32(count))
        for (set, endsBatch) in zip(sets[..<count], endsBatch) {
            bytes.append(littleEndian: set.length)
            bytes.append(littleEndian: UInt32(set.blockSize))
            bytes += [UInt8(set.groups), UInt8(set.capacity), UInt8(set.rows), endsBatch ? 1 : 0]
        }
        bytes.append(littleEndian: UInt32(Self.size(sets: count)))
        bytes.append(littleEndian: xxh64(bytes.span.bytes))
        return bytes
    }

    /// Whether a description may have so many bytes.
    package static func mayHave(size: UInt64) -> Bool {
        let least = UInt64(Self.size(sets: 1))
        return size >= least && size <= UInt64(mostBytes) && (size - least) % UInt64(setSize) == 0
    }

    /// How many bytes the description has that ends so; nil if none does.
    static func size(endingIn back: RawSpan) -> Int? {
        let size = Int(back.number(at: back.byteCount - endSize, as: UInt32.self))
        return size > Self.size(sets: 0) && size <= mostBytes && (size - Self.size(sets: 0)) % setSize == 0 ? size : nil
    }

    /// How many bytes a description has that begins so; nil if these are not the first bytes of one.
    static func size(_ front: RawSpan) -> Int? {
        guard front.byteCount >= numbersSize, ParityFrame.kind(of: front) == .description else { return nil }
        let sets = Int(front.number(at: numbersSize - 4, as: UInt32.self))
        guard 1...mostSets ~= sets, Int(front.number(at: 4, as: UInt32.self)) == size(sets: sets) - 8 else {
            return nil
        }
        return size(sets: sets)
    }

    /// - Returns: the description, and where in the stream it was made to be; nil if these bytes are none, or damaged.
    static func decoded(_ bytes: RawSpan) -> (description: ParityDescription, position: UInt64)? {
        let end = bytes.byteCount - 8
        guard size(bytes) == bytes.byteCount, bytes.number(at: end, as: UInt64.self) == xxh64(bytes.extracting(..<end)),
            let percent = Int(exactly: bytes.number(at: 40, as: UInt16.self)), ParityShare.percents ~= percent
        else { return nil }
        var (batches, batch) = ([[ParitySet]](), [ParitySet]())
        for offset in stride(from: numbersSize, to: end - 4, by: setSize) {
            let numbers = (12..<16).map { bytes.unsafeLoad(fromByteOffset: offset + $0, as: UInt8.self) }
            let set = ParitySet(
                blockSize: Int(bytes.number(at: offset + 8, as: UInt32.self)), groups: Int(numbers[0]),
                capacity: Int(numbers[1]), rows: Int(numbers[2]), length: bytes.number(at: offset, as: UInt64.self))
            guard let set, numbers[3] <= 1 else { return nil }
            batch.append(set)
            if numbers[3] == 0 { continue }
            batches.append(batch)
            batch = []
        }
        let tail = Tail(
            size: bytes.number(at: 24, as: UInt64.self), hash: bytes.number(at: 32, as: UInt64.self))
        let flags = bytes.number(at: 42, as: UInt16.self)
        let position = bytes.number(at: 16, as: UInt64.self)
        guard batch.isEmpty, flags <= 1, flags == 1 || tail == Tail(size: 0, hash: 0),
            let description = ParityDescription(
                share: ParityShare(percent: percent), batches: batches, tail: flags == 1 ? tail : nil),
            description.lastPositions.contains(position)
        else { return nil }
        return (description, position)
    }

    /// Where the two descriptions of all sets begin in the stream.
    package var lastPositions: [UInt64] {
        elements.compactMap { $0.kind == .description(sets: sets.count) ? $0.range.lowerBound : nil }
    }
}

extension FixedWidthInteger {
    fileprivate func addingClamped(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
