/// Hands on the whole input as the segments of one chunk.
struct SegmentCutter: ChunkCutter {
    /// Bytes that are asked of the reader at once.
    static let segmentSize = 1 << 20

    private let reader: ChunkReader
    private let segments: SegmentQueue
    private let content: ContentHash?
    private var hasBegun = false

    init(_ reader: ChunkReader, slots: Slots, content: ContentHash?) {
        (self.reader, self.content) = (reader, content)
        segments = SegmentQueue(slots)
    }

    mutating func next() throws(Failure) -> Chunk? {
        if !hasBegun {
            hasBegun = true
            return Chunk(.segments(segments), at: 0)
        }
        // The chunk ends with the failure.
        try? segments.fill { () throws(Failure) in
            let bytes = try reader.read(Self.segmentSize)
            if let bytes { content?.take(bytes) }
            return bytes
        }
        return nil
    }

    func cancel() { segments.fail(.cancelled) }
}
