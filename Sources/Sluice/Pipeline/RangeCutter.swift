/// Cuts a compressed file into the chunks that an excerpt needs, by an index; reads nothing between them.
///
/// The index is verified: its entries must be whole frames that can hold the content (and `Decompressor` checks that
/// they do).
struct RangeCutter: ChunkCutter {
    /// Adjacent entries are read together up to this many bytes.
    private static let batchSize: UInt64 = 1 << 20

    let reader: ChunkReader
    let index: FrameIndex
    var excerpt: Excerpt
    var room: ChunkRoom
    let limits: DecodingLimits
    /// Whether no further byte of a frame that comes in segments is needed; only the writer knows.
    let isOver: @Sendable () -> Bool
    var feed = SegmentFeed()

    mutating func next() throws(Failure) -> Chunk? {
        try feed.run(until: isOver) { [reader] range throws(Failure) in try reader.read(range) }
        guard let offset = excerpt.next, let first = index.position(of: offset) else { return nil }
        let entries = batch(from: first)
        let (input, content) = (index[entries].input, index[entries].content)
        _ = excerpt.take(UInt64(content.count))
        // Frames are hardly longer than their content, unless they are malicious.
        if UInt64(content.count) > room.mostHeld || UInt64(input.count) > room.mostHeld + Self.batchSize {
            return try feed.begin(input, of: reader.source, in: room)
        }
        let bytes = try reader.read(input)
        try check(bytes, of: entries)
        let slotCount = try room.take(for: content.count)
        return Chunk(.memory(bytes), at: input.lowerBound, bound: content.count, slots: slotCount)
    }

    mutating func cancel() {
        feed.cancel()
    }

    private func check(_ bytes: Bytes, of entries: Range<Int>) throws(Failure) {
        var rest = bytes
        for position in entries {
            var check = EntryCheck(index, at: position, limits)
            try rest.removeFirst(index[position].input.count).forEachRegion { region throws(Failure) in
                try codec(check.scan(region))
            }
            try codec(check.finish())
        }
    }

    /// The entry and those after it that the excerpt needs too, as long as they are small together.
    private func batch(from first: Int) -> Range<Int> {
        var (entries, rest) = (first..<first + 1, excerpt)
        while true {
            _ = rest.take(UInt64(index[entries.upperBound - 1].content.count))
            guard entries.upperBound < index.count, rest.next == index[entries].content.upperBound else {
                return entries
            }
            let more = first..<entries.upperBound + 1
            guard max(index[more].input.count, index[more].content.count) <= Self.batchSize else { return entries }
            entries = more
        }
    }
}
