internal import ZstdCodec

/// Cuts a compressed file into chunks that an excerpt needs, by an index: what lies between them is not read.
///
/// The index is believed only as far as it proves right: where it says so there must be whole frames, which can hold as
/// much as it says (and `DecompressTransform` sees that they do).
struct ExtractionCutter: ChunkCutter {
    /// Entries one after another are read together until they have this much, in bytes.
    private static let batchSize: UInt64 = 1 << 20

    private let reader: ChunkReader
    private let index: FrameIndex
    private var excerpt: Excerpt
    private let slots: Slots
    private let limits: DecodingLimits
    /// The most that a chunk held as a whole has, in bytes, compressed or not.
    private let mostHeld: UInt64
    private var feed = SegmentFeed()
    /// Whether no further byte is needed, which is not known here of a frame in parts.
    private let isOver: @Sendable () -> Bool
    private(set) var memory = FrameCutter.Memory()

    init(
        _ reader: ChunkReader, _ index: FrameIndex, _ excerpt: Excerpt, slots: Slots, limits: DecodingLimits,
        mostHeld: UInt64, isOver: @escaping @Sendable () -> Bool
    ) {
        self.isOver = isOver
        self.reader = reader
        self.index = index
        self.excerpt = excerpt
        self.slots = slots
        self.limits = limits
        self.mostHeld = mostHeld
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        try feed.run(until: isOver) { [reader] range throws(Failure) in try reader.read(range) }
        guard let offset = excerpt.next, let first = index.position(of: offset) else { return nil }
        let entries = batch(from: first)
        let (input, content) = (index.input(of: entries), index.content(of: entries))
        _ = excerpt.take(UInt64(content.count))
        // What is compressed is hardly longer than its content, unless somebody means it.
        if UInt64(content.count) > mostHeld || UInt64(input.count) > mostHeld + Self.batchSize {
            return begin(input)
        }
        return try whole(try index.check(try reader.read(input), of: entries, limits), input, content)
    }

    mutating func cancel() {
        feed.cancel()
    }

    /// The entry, and those behind it that the excerpt needs too, as far as they are small.
    private func batch(from first: Int) -> Range<Int> {
        var (last, rest) = (first, excerpt)
        while true {
            let entries = first..<last + 1
            rest = excerpt
            _ = rest.take(UInt64(index.content(of: entries).count))
            guard rest.next == index[last].content.upperBound, last + 1 < index.count else { return entries }
            let more = first..<last + 2
            guard max(index.input(of: more).count, index.content(of: more).count) <= Self.batchSize else {
                return entries
            }
            last += 1
        }
    }

    private mutating func whole(
        _ bytes: Bytes, _ input: Range<UInt64>, _ content: Range<UInt64>
    ) throws(Failure) -> Chunk.Content {
        let size = UInt64(content.count)
        let weight = max(1, min(slots.count, Int((size + FrameCutter.slotSize - 1) / FrameCutter.slotSize)))
        for _ in 1..<weight {
            guard slots.take() else { throw .cancelled }
        }
        memory.perSlot = max(memory.perSlot, (bytes.count + content.count) / weight)
        memory.perChunk = max(memory.perChunk, bytes.count + content.count)
        return .whole(ChunkBytes(bytes), bound: content.count, offset: input.lowerBound, slots: weight)
    }

    private mutating func begin(_ input: Range<UInt64>) -> Chunk.Content {
        memory.firstPart = max(memory.firstPart, SegmentCutter.partSize)
        return feed.begin(input, slots: slots)
    }
}

extension FrameIndex {
    fileprivate func input(of entries: Range<Int>) -> Range<UInt64> {
        self[entries.lowerBound].input.lowerBound..<self[entries.upperBound - 1].input.upperBound
    }

    fileprivate func content(of entries: Range<Int>) -> Range<UInt64> {
        self[entries.lowerBound].content.lowerBound..<self[entries.upperBound - 1].content.upperBound
    }
}
