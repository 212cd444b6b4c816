internal import Dispatch

/// Hands on the whole input as the segments of one chunk.
struct SegmentCutter: ChunkCutter {
    /// Bytes that are asked of the reader at once.
    static let segmentSize = 1 << 20

    private let reader: ChunkReader
    /// Bytes that were read before, and where they begin in the input.
    private let first: (bytes: Bytes, offset: UInt64)
    /// How long to wait for a full segment when some of it has arrived.
    private let patience: DispatchTimeInterval
    private let segments: SegmentQueue
    private let content: ContentHash?
    private var hasBegun = false

    init(
        _ reader: ChunkReader, slots: Slots, first: (bytes: Bytes, offset: UInt64) = (Bytes(), 0),
        patience: DispatchTimeInterval = .never, windows: Slots? = nil, content: ContentHash? = nil
    ) {
        (self.reader, self.first, self.patience, self.content) = (reader, first, patience, content)
        segments = SegmentQueue(slots, windows: windows)
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        if !hasBegun {
            hasBegun = true
            try segments.begin()
            return .segments(segments, offset: first.offset)
        }
        do throws(Failure) {
            if !first.bytes.isEmpty { try segments.push(first.bytes) }
            while let bytes = try reader.read(Self.segmentSize, within: patience) {
                content?.take(bytes)
                try segments.push(bytes)
            }
            segments.close()
        } catch {
            segments.fail(error)
        }
        return nil
    }

    func cancel() { segments.fail(.cancelled) }
}
