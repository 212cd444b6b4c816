internal import Dispatch

/// Cuts plain content into chunks of equal size, each to become one frame.
struct ContentCutter: ChunkCutter {
    let reader: ChunkReader
    /// Bytes.
    let chunkSize: Int
    /// Bytes of the content, where it ends before the input does; no more are read.
    let length: UInt64?
    /// A chunk ends early when its first byte is this old.
    let flushInterval: DispatchTimeInterval
    /// What a chunk of so many bytes becomes at most.
    let bound: @Sendable (Int) -> Int
    /// Takes what is read, if somebody wants it.
    private let content: ContentHash?
    private var readers: FileReaders
    private var offset: UInt64 = 0
    private var hasBegun = false

    init(
        _ reader: ChunkReader, chunkSize: Int, length: UInt64? = nil, flushInterval: DispatchTimeInterval,
        bound: @escaping @Sendable (Int) -> Int, content: ContentHash? = nil, readers: FileReaders
    ) {
        self.content = content
        self.readers = readers
        self.reader = reader
        self.chunkSize = chunkSize
        self.length = length
        self.flushInterval = flushInterval
        self.bound = bound
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        let wanted = Int(min(UInt64(chunkSize), (length ?? .max) - offset))
        if wanted == 0, hasBegun { return nil }
        if let count = reader.skipHole(wanted) {
            content?.take(zeros: count)
            return chunk(ChunkBytes(zeros: count), count)
        }
        // Workers read in no order, which a hash has.
        if content == nil {
            let lent = try reader.lend(wanted) { readers.areWorkers(isCached: $0.isCached) ? $0 : nil }
            if let lent { return chunk(ChunkBytes(lent), lent.count) }
        }
        let bytes = try reader.read(wanted, within: flushInterval)
        if let length, bytes?.count ?? 0 < wanted {
            throw .sourceShrank(expected: length, read: offset + UInt64(bytes?.count ?? 0))
        }
        // Empty content is a chunk too: it becomes an empty frame.
        guard let bytes = bytes ?? (hasBegun ? nil : Bytes()) else { return nil }
        content?.take(bytes)
        return chunk(ChunkBytes(bytes), bytes.count)
    }

    private mutating func chunk(_ parcel: ChunkBytes, _ count: Int) -> Chunk.Content {
        hasBegun = true
        defer { offset += UInt64(count) }
        return .whole(parcel, bound: bound(count), offset: offset, slots: 1)
    }

    func cancel() {}
}
