internal import Dispatch

/// Cuts input in foreign formats into chunks: members of gzip that say their size, and blocks of xz that say theirs.
///
/// Everything else is handed on in segments, to one worker: input of which only the decoder finds the end, and whatever
/// looks damaged here. So the decoders alone decide what is an error, and where.
struct ForeignCutter: ChunkCutter {
    /// Members that share a chunk, which then has at most a mebibyte of content.
    private static let batchCount = Int(FrameCutter.batchBound) / SizedMember.contentSize
    /// How often in a row a segment may be short before what has arrived of a block is handed on; members are small.
    static let (memberStalls, blockStalls) = (1, 3)

    let reader: ChunkReader
    /// Its `largeWindow` is also the most memory of a block's decoder that each worker may have at once.
    var room: ChunkRoom
    /// Workers that share members; one gets everything in segments.
    let workers: Int

    /// Bytes that were read and not handed on, and where they begin in the input.
    var held: (bytes: Bytes, offset: UInt64)
    private var isEnded = false
    /// The format of the last member, if there was one.
    var last: ForeignFormat?
    /// Where `held` begins in a stream of xz; nil between members.
    var stream: XzPlace?
    /// Where the blocks of the input lie, once that was looked for, and where the index begins to count.
    var index: (blocks: XzFileIndex?, start: UInt64)?
    /// The chunk that is handed on in segments; how many of its bytes are to come, nil for all; and whether it ends
    /// there in any case.
    private var feed: (segments: SegmentQueue, rest: UInt64?, isSure: Bool)?

    /// - Parameter first: bytes that were read before, and where they begin in the input.
    init(_ reader: ChunkReader, first: (bytes: Bytes, offset: UInt64), room: ChunkRoom, workers: Int) {
        (self.reader, held, self.room, self.workers) = (reader, first, room, workers)
    }

    mutating func next() throws(Failure) -> Chunk? {
        try finishFeed()
        // A stream that has begun also has to end.
        if stream != nil { return try nextBlocks() }
        guard try skipPadding() else { return nil }
        guard workers > 1 else { return try begin(nil) }
        let magic = peek(ForeignFormat.magicSize)
        switch ForeignFormat(magic: magic) {
        case .gzip: return try nextMembers()
        case .xz: return try beginStream()
        default: return try begin(nil)
        }
    }

    func cancel() { feed?.segments.fail(.cancelled) }

    // MARK: Members of gzip

    private mutating func nextMembers() throws(Failure) -> Chunk {
        var (size, count) = (0, 0)
        while count < Self.batchCount, let member = try memberSize(at: size) {
            guard try isMemberOrEnd(at: size + member) else { break }
            (size, count) = (size + member, count + 1)
        }
        defer { last = .gzip }
        if count > 0 {
            let content = count * SizedMember.contentSize
            let slotCount = try room.take(for: max(size, content))
            return take(size, content, slotCount, at: last.map { .after($0) })
        }
        return try begin(try memberSize(at: 0).map { UInt64($0) }, isSure: false)
    }

    /// The size of the member at an offset in `held`, if its header gives one.
    private mutating func memberSize(at position: Int) throws(Failure) -> Int? {
        guard try fill(position + SizedMember.headerSize, stalls: Self.memberStalls) else { return nil }
        return SizedMember.size(peek(SizedMember.headerSize, at: position))
    }

    /// Whether another sized member begins at an offset in `held`, or the input ends there. Otherwise the size that led
    /// to that offset can't be trusted, because it has no checksum.
    private mutating func isMemberOrEnd(at position: Int) throws(Failure) -> Bool {
        if try memberSize(at: position) != nil { return true }
        return isEnded && held.bytes.count == position
    }

    /// Waits for what follows a member that was handed on in segments.
    ///
    /// - Returns: whether the chunk ends there; otherwise the rest belongs to it.
    private mutating func isChunkEnd() throws(Failure) -> Bool {
        while !isEnded, held.bytes.count < SizedMember.headerSize {
            guard SizedMember.begins(with: peek(SizedMember.headerSize)) else { return false }
            _ = try fill(SizedMember.headerSize, stalls: Self.memberStalls)
        }
        return SizedMember.size(peek(SizedMember.headerSize)) != nil
    }

    // MARK: Chunks

    /// Drops the padding of streams, whose zeros come in fours; returns whether anything follows.
    private mutating func skipPadding() throws(Failure) -> Bool {
        while true {
            let isComplete = try fill(ForeignFormat.magicSize, stalls: .max)
            guard isComplete, last == .xz, peek(4) == [0, 0, 0, 0] else { return !held.bytes.isEmpty }
            _ = take(peek(SegmentCutter.segmentSize).prefix { $0 == 0 }.count & ~3)
        }
    }

    mutating func take(
        _ size: Int, _ content: Int, _ slotCount: Int, at place: ForeignPlace?
    ) -> Chunk {
        let offset = held.offset
        return Chunk(.members(take(size)), at: offset, bound: content, slots: slotCount, place: place)
    }

    /// Begins a chunk that is handed on in segments.
    ///
    /// - Parameters:
    ///   - size: its bytes; nil for the rest of the input.
    ///   - place: where within foreign data it begins, if that is not between members.
    ///   - isSure: whether it ends there in any case.
    mutating func begin(
        _ size: UInt64?, at place: ForeignPlace? = nil, isSure: Bool = true
    ) throws(Failure) -> Chunk {
        let segments = try room.segments(window: nil)
        feed = (segments, size, isSure)
        return Chunk(.segments(segments), at: held.offset, place: place ?? last.map { .after($0) })
    }

    /// Hands on what is left of the chunk that was begun last.
    private mutating func finishFeed() throws(Failure) {
        guard let (segments, size, isSure) = feed else { return }
        feed = nil
        var rest = size
        do throws(Failure) {
            try segments.fill { () throws(Failure) in
                if rest == 0 {
                    if isSure { return nil }
                    if try isChunkEnd() { return nil }
                    rest = nil
                }
                guard try fill(1, stalls: .max) else { return nil }
                let segment = take(Int(min(UInt64(SegmentCutter.segmentSize), rest ?? .max)))
                rest = rest.map { $0 - UInt64(segment.count) }
                return segment
            }
        } catch {
            (isEnded, held.bytes, rest) = (true, Bytes(), nil)
        }
        // The decoder of what ends early, or is all the rest, tells everything.
        if rest != 0 { stream = nil }
    }

    // MARK: Input

    /// Reads until `held` has at least `count` bytes.
    ///
    /// - Parameter stalls: the number of consecutive short reads to wait for.
    /// - Returns: false at the end of the input, or after that many short reads.
    mutating func fill(_ count: Int, stalls most: Int) throws(Failure) -> Bool {
        var stalls = 0
        while held.bytes.count < count {
            guard !isEnded, stalls < most else { return false }
            let wanted = max(count - held.bytes.count, SegmentCutter.segmentSize)
            let isFirst = held.bytes.isEmpty
            guard let bytes = try reader.read(wanted, within: FrameCutter.patience, fromFirstByte: isFirst) else {
                isEnded = true
                return false
            }
            stalls = bytes.count < min(wanted, SegmentCutter.segmentSize) ? stalls + 1 : 0
            held.bytes.append(bytes)
        }
        return true
    }

    /// Bytes that are held, fewer at their end.
    func peek(_ count: Int, at position: Int = 0) -> [UInt8] {
        let end = min(held.bytes.count, position + count)
        return position < end ? held.bytes.slice(position..<end).elements : []
    }

    mutating func take(_ count: Int) -> Bytes {
        let bytes = held.bytes.removeFirst(count)
        held.offset += UInt64(bytes.count)
        return bytes
    }
}
