internal import Dispatch

/// Cuts plain content into chunks that become a frame each.
///
/// They have equal sizes, or end where a cut says: by the content (`HashCut`), so that an insertion or deletion
/// changes only the frames around it, at line ends (`LineCut`), or between the members of an archive (`MemberCut`).
struct ContentCutter: ChunkCutter {
    private let reader: InputReader
    private let chunkSize: Int
    /// A chunk ends early when its first byte is this old.
    private let flushInterval: DispatchTimeInterval
    private let contentHash: ContentHash?
    private var readers: FileReaders
    private var cut: (any ChunkCut)?
    /// The bytes of a file that are examined.
    private let look = LookBuffer()
    private var offset: UInt64 = 0
    private var hasBegun = false
    /// Bytes of the content, if it ends before the input does; no more are read.
    private let length: UInt64?

    init(
        _ reader: InputReader, chunkSize: Int, flushInterval: DispatchTimeInterval, length: UInt64? = nil,
        cut: (any ChunkCut)? = nil, contentHash: ContentHash? = nil, readers: FileReaders
    ) {
        (self.reader, self.chunkSize, self.flushInterval) = (reader, chunkSize, flushInterval)
        (self.length, self.cut, self.contentHash, self.readers) = (length, cut, contentHash, readers)
    }

    /// Bytes that are held besides the chunks if there is a cut: those examined and not taken yet, and for each chunk a
    /// region that it shares with the one before it.
    static func memory(chunkSize: Int, slots: Int) -> Int {
        let cut = HashCut(most: chunkSize)
        return chunkSize + cut.lookSize + slots * cut.step
    }

    mutating func next() throws(Failure) -> Chunk? {
        if let chunk = try nextChunk() { return chunk }
        try cut?.finish()
        return nil
    }

    private mutating func nextChunk() throws(Failure) -> Chunk? {
        let wanted = Int(min(UInt64(chunkSize), (length ?? .max) - offset))
        if wanted == 0, hasBegun { return nil }
        if cut?.passesHoles != false, let count = reader.skipHole(wanted) {
            contentHash?.appendInTurn(.zeros(count))
            return chunk(.hole(count), count)
        }
        if let lent = try lend(wanted) { return chunk(.range(lent, of: reader.source), lent.count) }
        let count = cut == nil ? wanted : try end()
        if count == 0, hasBegun, length == nil { return nil }
        let bytes = try reader.read(count, within: flushInterval)
        // With a cut, `count` is 0 where the input ends too early.
        if let length, bytes?.count ?? 0 < max(count, min(1, wanted)) {
            throw .sourceShrank(expected: length, read: offset + UInt64(bytes?.count ?? 0))
        }
        // Empty content is a chunk too: it becomes an empty frame.
        guard let bytes = bytes ?? (hasBegun ? nil : Bytes()) else { return nil }
        contentHash?.appendInTurn(bytes)
        return chunk(.memory(bytes), bytes.count)
    }

    /// The range of the next chunk, if a worker is to read it. The bytes examined here are read twice, but they are
    /// only about an eighth of an average chunk.
    private mutating func lend(_ wanted: Int) throws(Failure) -> Range<UInt64>? {
        let source = reader.source
        guard let next = reader.nextRange(wanted), readers.areWorkers(isCached: source.isCached(next)) else {
            return nil
        }
        let range = cut == nil ? next : next.prefix(try end(in: next))
        return reader.pass(range) ? range : nil
    }

    /// The size of the chunk that begins where a range of a file begins.
    private mutating func end(in range: Range<UInt64>) throws(Failure) -> Int {
        // Moved out, because each look would copy it otherwise.
        guard var cut = cut.take() else { return range.count }
        defer { self.cut = cut }
        cut.begin(at: offset)
        while cut.position < range.count {
            let bytes = try look.memory.read(range.dropFirst(cut.position).prefix(cut.lookSize), of: reader.source)
            if let end = try cut.take(bytes.bytes) { return end }
        }
        return try cut.end(of: range.count)
    }

    /// The size of the next chunk. Reads no further than needed to find its end.
    private mutating func end() throws(Failure) -> Int {
        cut?.begin(at: offset)
        var count = chunkSize
        while let cut, cut.position < chunkSize {
            let wanted = min(chunkSize, cut.position + cut.step)
            let ahead = try reader.peek(wanted)
            count = ahead.count
            guard count > cut.position else { break }
            var (end, regionStart): (Int?, Int) = (nil, cut.position)
            try ahead.slice(regionStart..<count).forEachRegion { region throws(Failure) in
                let start = regionStart
                regionStart += region.byteCount
                // The cut may have skipped all of this region.
                guard end == nil, let position = self.cut?.position, position < regionStart else { return }
                end = try self.cut?.take(region.extracting(droppingFirst: position - start))
            }
            if let end { return end }
            if count < wanted { break }
        }
        return try cut?.end(of: count) ?? count
    }

    private mutating func chunk(_ content: Chunk.Content, _ count: Int) -> Chunk {
        hasBegun = true
        defer { offset += UInt64(count) }
        return Chunk(content, at: offset, bound: CompressionOptions.bound(count))
    }

    func cancel() {}
}

/// A buffer by reference, since a cutter is copyable.
private final class LookBuffer {
    var memory = GatherBuffer()
}

/// Decides where a chunk of content ends, if not at its largest size.
protocol ChunkCut: Sendable {
    /// Bytes of the chunk that need not be examined any more.
    var position: Int { get }
    /// Bytes to ask a reader for at once.
    var step: Int { get }
    /// Bytes of a file that are examined at a time.
    var lookSize: Int { get }
    /// Whether a chunk may be a hole that was not examined.
    var passesHoles: Bool { get }
    /// Begins the next chunk.
    ///
    /// - Parameter offset: bytes of the content before it.
    mutating func begin(at offset: UInt64)
    /// Takes the bytes at `position`.
    ///
    /// - Returns: the size of the chunk, if its end was found.
    mutating func take(_ bytes: RawSpan) throws(Failure) -> Int?
    /// The size of a chunk that can have `count` bytes at most, in which no end was found.
    mutating func end(of count: Int) throws(Failure) -> Int
    /// Reports the end of the content.
    ///
    /// - Throws: if the content must not end here.
    mutating func finish() throws(Failure)
}

extension ChunkCut {
    mutating func end(of count: Int) -> Int { count }
    mutating func finish() throws(Failure) {}
}
