internal import Dispatch

/// Hands all the input on as the parts of one chunk.
struct SegmentCutter: ChunkCutter {
    /// Bytes asked of the reader at once.
    static let partSize = 1 << 20

    private let reader: ChunkReader
    /// What was read before, about a part at most, and where it begins in the input.
    private let first: Bytes
    private let offset: UInt64
    /// How long to wait for a full part when some of it has come.
    private let patience: DispatchTimeInterval
    private let parts: SegmentQueue
    /// Takes what is read, if it is content that somebody wants.
    private let content: ContentHash?
    private var hasBegun = false

    init(
        _ reader: ChunkReader, slots: Slots, first: Bytes = Bytes(), at offset: UInt64 = 0,
        patience: DispatchTimeInterval = .never, windows: Slots? = nil, content: ContentHash? = nil
    ) {
        self.reader = reader
        self.content = content
        parts = SegmentQueue(slots, windows: windows)
        self.first = first
        self.offset = offset
        self.patience = patience
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        if !hasBegun {
            hasBegun = true
            try parts.begin()
            return .segments(parts, offset: offset)
        }
        do throws(Failure) {
            if !first.isEmpty { try parts.push(first) }
            while let part = try reader.read(Self.partSize, within: patience) {
                content?.take(part)
                try parts.push(part)
            }
            parts.close()
        } catch {
            parts.fail(error)
        }
        return nil
    }

    func cancel() { parts.fail(.cancelled) }
}
