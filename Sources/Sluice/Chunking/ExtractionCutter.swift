/// Cuts a compressed file into the chunks that an excerpt needs, by an index; reads nothing between them.
///
/// The index is verified: its entries must be whole frames that can hold the content (and `DecompressTransform` checks
/// that they do).
struct ExtractionCutter: ChunkCutter {
    /// Adjacent entries are read together up to this many bytes.
    private static let batchSize: UInt64 = 1 << 20

    private let reader: ChunkReader
    private let index: FrameIndex
    private var excerpt: Excerpt
    private let slots: Slots
    private let limits: DecodingLimits
    /// The most bytes of a chunk that is held as a whole, compressed or not.
    private let mostHeld: UInt64
    /// Decompressed bytes that a slot bounds.
    var slotSize = FrameCutter.slotSize
    /// For windows of streamed frames that are larger than this many bytes; of others there may be as many as workers.
    var windows: (slots: Slots, above: UInt64) = (Slots(1), .max)
    private var feed = SegmentFeed()
    private(set) var memory = FrameCutter.Memory()
    /// Whether no further byte of a frame that comes in segments is needed; only the writer knows.
    var isOver: @Sendable () -> Bool = { false }

    init(
        _ reader: ChunkReader, _ index: FrameIndex, _ excerpt: Excerpt, slots: Slots, limits: DecodingLimits,
        mostHeld: UInt64
    ) {
        (self.reader, self.index, self.excerpt, self.slots) = (reader, index, excerpt, slots)
        (self.limits, self.mostHeld) = (limits, mostHeld)
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        try feed.run(until: isOver) { [reader] range throws(Failure) in try reader.read(range) }
        guard let offset = excerpt.next, let first = index.position(of: offset) else { return nil }
        let entries = batch(from: first)
        let (input, content) = (index[entries].input, index[entries].content)
        _ = excerpt.take(UInt64(content.count))
        // Frames are hardly longer than their content, unless they are malicious.
        if UInt64(content.count) > mostHeld || UInt64(input.count) > mostHeld + Self.batchSize {
            memory.firstSegment = max(memory.firstSegment, SegmentCutter.segmentSize)
            let window = reader.source.windowSize(ofFrameAt: input.lowerBound)
            return try feed.begin(input, slots: slots, windows: window > windows.above ? windows.slots : nil)
        }
        let bytes = try index.check(try reader.read(input), of: entries, limits)
        let slotCount = try memory.take(slots, for: bytes.count, content: content.count, slotSize: slotSize)
        return .whole(ChunkBytes(.memory(bytes)), bound: content.count, offset: input.lowerBound, slots: slotCount)
    }

    mutating func cancel() {
        feed.cancel()
    }

    /// The entry and those behind it that the excerpt needs too, as long as they are small together.
    private func batch(from first: Int) -> Range<Int> {
        var entries = first..<first + 1
        while true {
            var rest = excerpt
            _ = rest.take(UInt64(index[entries].content.count))
            guard rest.next == index[entries].content.upperBound, entries.upperBound < index.count else {
                return entries
            }
            let more = first..<entries.upperBound + 1
            guard max(index[more].input.count, index[more].content.count) <= Self.batchSize else { return entries }
            entries = more
        }
    }
}
