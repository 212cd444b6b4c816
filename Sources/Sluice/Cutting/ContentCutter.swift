internal import Dispatch

/// Cuts plain content into chunks of equal size, each to become one frame.
struct ContentCutter: ChunkCutter {
    let reader: ChunkReader
    /// Bytes.
    let chunkSize: Int
    /// A chunk ends early when its first byte is this old.
    let flushInterval: DispatchTimeInterval
    /// What a chunk of so many bytes becomes at most.
    let bound: @Sendable (Int) -> Int
    private var readers: FileReaders
    private var offset: UInt64 = 0
    private var hasBegun = false

    init(
        _ reader: ChunkReader, chunkSize: Int, flushInterval: DispatchTimeInterval,
        bound: @escaping @Sendable (Int) -> Int, readers: FileReaders
    ) {
        self.readers = readers
        self.reader = reader
        self.chunkSize = chunkSize
        self.flushInterval = flushInterval
        self.bound = bound
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        if let count = reader.skipHole(chunkSize) { return content(Parcel(zeros: count), count) }
        let lent = try reader.lend(chunkSize) { readers.areWorkers(isCached: $0.isCached) ? $0 : nil }
        if let lent { return content(Parcel(lent), lent.count) }
        let bytes = try reader.read(chunkSize, within: flushInterval)
        // Empty content is a chunk too: it becomes an empty frame.
        guard let bytes = bytes ?? (hasBegun ? nil : Bytes()) else { return nil }
        return content(Parcel(bytes), bytes.count)
    }

    private mutating func content(_ parcel: Parcel, _ count: Int) -> Chunk.Content {
        hasBegun = true
        defer { offset += UInt64(count) }
        return .whole(parcel, bound: bound(count), offset: offset, slots: 1)
    }

    func cancel() {}
}
