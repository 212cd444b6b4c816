/// Cuts a compressed file into the chunks that a selection needs, by an index; reads nothing between them.
///
/// Workers check that its entries are whole frames which have that content.
struct RangeCutter: ChunkCutter {
    /// Adjacent entries are read together up to this many bytes.
    private static let batchSize: UInt64 = 1 << 20

    let reader: InputReader
    let index: FrameIndex
    var selection: RangeSelection
    var room: ChunkCapacity
    /// Whether no further byte of a frame that comes in segments is needed; only the writer knows.
    let isOver: @Sendable () -> Bool
    var feed = SegmentFeed()

    mutating func next() throws(Failure) -> Chunk? {
        try feed.run(until: isOver) { [reader] range throws(Failure) in try reader.read(range) }
        guard let entries = Self.nextBatch(of: &selection, in: index) else { return nil }
        let (input, content) = (index[entries].input, index[entries].content)
        // Frames are hardly longer than their content, unless they are malicious.
        if UInt64(content.count) > room.mostHeld || UInt64(input.count) > room.mostHeld + Self.batchSize {
            return try feed.begin(input, of: reader.source, in: room)
        }
        let bytes = try reader.read(input)
        let slotCount = try room.take(for: content.count)
        return Chunk(.memory(bytes), at: input.lowerBound, bound: content.count, slots: slotCount)
    }

    mutating func cancel() {
        feed.cancel()
    }

    /// The ranges of the file that will be read, one after another.
    var ranges: @Sendable () -> Range<UInt64>? {
        let rest = Locked(selection)
        return { [index] in
            rest.withLock { selection in Self.nextBatch(of: &selection, in: index).map { index[$0].input } }
        }
    }

    /// Takes the next entry that the selection needs, and those after it that it needs too, as long as they are small
    /// together.
    private static func nextBatch(of selection: inout RangeSelection, in index: FrameIndex) -> Range<Int>? {
        guard let offset = selection.next, let first = index.position(ofContent: offset) else { return nil }
        var entries = first..<first + 1
        while true {
            _ = selection.take(UInt64(index[entries.upperBound - 1].content.count))
            guard entries.upperBound < index.count, selection.next == index[entries].content.upperBound else {
                return entries
            }
            let more = first..<entries.upperBound + 1
            guard max(index[more].input.count, index[more].content.count) <= batchSize else { return entries }
            entries = more
        }
    }
}
