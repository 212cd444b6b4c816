internal import ByteStreams
internal import Dispatch

/// Cuts plain content where it says so itself (`ContentCut`): what comes in between or goes changes the frames around
/// it, and the others stay what they were, byte by byte.
struct RollingCutter: ChunkCutter {
    /// Bytes of a file that are looked at together: they stay in the processor's cache.
    private static let windowSize = 256 << 10

    private let reader: ChunkReader
    /// What a chunk of so many bytes becomes at most.
    private let bound: @Sendable (Int) -> Int
    /// Takes what is read, if somebody wants it.
    private let content: ContentHash?
    private var readers: FileReaders
    private var cut: ContentCut
    /// What was read of a file to look at it.
    private let window = Window()
    private var offset: UInt64 = 0
    private var hasBegun = false

    init(
        _ reader: ChunkReader, chunkSize: Int, bound: @escaping @Sendable (Int) -> Int, content: ContentHash? = nil,
        readers: FileReaders
    ) {
        self.reader = reader
        self.content = content
        self.bound = bound
        self.readers = readers
        cut = ContentCut(most: chunkSize)
    }

    /// Bytes that are held beside the chunks, when these have up to `chunkSize` bytes in so many slots: what was looked
    /// at and is not taken yet, and of each chunk a piece that it shares with the one before it.
    static func memory(chunkSize: Int, slots: Int) -> Int {
        chunkSize + windowSize + slots * step(ContentCut(most: chunkSize))
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        if let count = reader.skipHole(cut.most) {
            content?.take(zeros: count)
            return chunk(ChunkBytes(zeros: count), count)
        }
        // Whoever reads it later reads it again: what is looked at is an eighth. Workers read in no order, which a hash
        // has.
        if content == nil {
            let lent = try reader.lend(cut.most) { range throws(Failure) in
                guard readers.areWorkers(isCached: range.isCached) else { return nil }
                return range.part(0..<(try end(in: range)))
            }
            if let lent { return chunk(ChunkBytes(lent), lent.count) }
        }
        let count = try end()
        guard count > 0 || !hasBegun else { return nil }
        let bytes = try reader.read(count) ?? Bytes()
        content?.take(bytes)
        return chunk(ChunkBytes(bytes), bytes.count)
    }

    /// Where the chunk ends that begins with a range of a file.
    private mutating func end(in range: FileRange) throws(Failure) -> Int {
        cut.begin()
        while cut.position < range.count {
            let end = min(range.count, cut.position + Self.windowSize)
            let bytes = try window.memory.read(range.part(cut.position..<end))
            if let end = cut.take(bytes) { return end }
        }
        return range.count
    }

    /// Where the chunk ends that comes next, for which no more is read than it takes.
    private mutating func end() throws(Failure) -> Int {
        cut.begin()
        while true {
            let wanted = min(cut.most, cut.position + Self.step(cut))
            let ahead = try reader.peek(wanted)
            guard ahead.count > cut.position else { return ahead.count }
            var end: Int?
            ahead.slice(cut.position..<ahead.count).data.enumerateBytes { region, _, stop in
                end = cut.take(UnsafeRawBufferPointer(region))
                stop = end != nil
            }
            if let end { return end }
            if ahead.count < wanted { return ahead.count }
        }
    }

    /// Bytes that are asked for at once.
    private static func step(_ cut: ContentCut) -> Int { min(cut.most, max(cut.distance, 64 << 10)) }

    private mutating func chunk(_ parcel: ChunkBytes, _ count: Int) -> Chunk.Content {
        hasBegun = true
        defer { offset += UInt64(count) }
        return .whole(parcel, bound: bound(count), offset: offset, slots: 1)
    }

    func cancel() {}
}

/// A buffer, as a reference: a cutter is copyable.
private final class Window {
    var memory = GatherBuffer()
}
