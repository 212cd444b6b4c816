internal import Dispatch

/// Cuts input in foreign formats into chunks: gzip members and xz blocks that state their sizes.
///
/// Everything else is handed on in segments, to one worker: input whose end only the decoder finds, and whatever looks
/// damaged here. So the decoders alone decide what is an error, and where. The size of a gzip member has no checksum:
/// where a chunk does not end with a member, because the header that it led to lies within a stored block, its worker
/// goes on with all that follows (`ChunkChain`).
struct ForeignCutter: ChunkCutter {
    /// Members that share a chunk, which then has at most 1 MiB of content.
    private static let batchCount = Int(FrameCutter.batchBound) / BGZFHeader.contentSize
    /// How many short reads in a row to wait for the rest of a member or a block, before handing on what has arrived.
    /// Members are small.
    static let (memberStalls, blockStalls) = (1, 3)

    private let reader: InputReader
    /// Its `largeWindow` is also the most memory of a block's decoder that each worker may have at once.
    var room: ChunkCapacity
    /// Workers that share members; a single one gets everything in segments.
    private let workers: Int

    /// Bytes that were read and not handed on, and where they begin in the input.
    private var held: (bytes: Bytes, offset: UInt64)
    private var isEnded = false
    /// The format of the last member, if there was one.
    private var last: ForeignFormat?
    /// Where `held` begins in a stream of xz; nil between members.
    private var stream: XzPlace?
    /// Where the blocks of the input lie, once looked up, and the offset from which that index counts.
    private var index: (blocks: XzFileIndex?, start: UInt64)?
    /// The chunk that is handed on in segments.
    private var feed: (segments: SegmentQueue, extent: Extent)?

    /// How many bytes of the input a chunk in segments has.
    private enum Extent {
        /// All that follow.
        case rest
        case exactly(UInt64)
        /// These, and then all that follow unless `isChunkEnd`.
        case atLeast(UInt64)
    }

    /// - Parameter first: bytes that were read before, and where they begin in the input.
    init(_ reader: InputReader, first: (bytes: Bytes, offset: UInt64), room: ChunkCapacity, workers: Int) {
        (self.reader, held, self.room, self.workers) = (reader, first, room, workers)
    }

    mutating func next() throws(Failure) -> Chunk? {
        do throws(Failure) {
            if let chunk = try nextChunk() { return chunk }
            room.members.inputDidEnd()
            return nil
        } catch {
            room.members.inputDidEnd(because: error)
            throw error
        }
    }

    func cancel() {
        feed?.segments.fail(.cancelled)
        // What has ended by itself has ended.
        room.members.inputDidEnd(because: .cancelled)
    }

    private mutating func nextChunk() throws(Failure) -> Chunk? {
        try finishFeed()
        // A stream that has begun also has to end.
        if stream != nil { return try nextBlocks() }
        guard try skipPadding() else { return nil }
        guard workers > 1 else { return try begin(.rest) }
        let format = ForeignFormat(magic: peek(ForeignFormat.magicSize))
        if format == .gzip, room.members.rest == nil, let chunk = try nextMembers() { return chunk }
        // What is handed on in segments is not kept.
        room.members.waitForEnds()
        if let rest = room.members.rest {
            feed = (rest, .rest)
            try finishFeed()
            return nil
        }
        switch format {
        case .gzip: return try beginMember()
        case .xz: return try beginStream()
        default: return try begin(.rest)
        }
    }

    // MARK: Members of gzip

    /// Members that say their sizes; nil if none come next.
    private mutating func nextMembers() throws(Failure) -> Chunk? {
        var (size, count) = (0, 0)
        while count < Self.batchCount, let member = try memberSize(at: size) {
            guard try isMemberOrEnd(at: size + member) else { break }
            (size, count) = (size + member, count + 1)
        }
        guard count > 0 else { return nil }
        defer { last = .gzip }
        let bytes = held.bytes.slice(0..<size)
        // One slot accounts for them: it has a mebibyte at least.
        let content = count * BGZFHeader.contentSize
        var chunk = try chunk(size: size, content: content, slots: 1, from: last.map { .after($0) })
        chunk.chain = (room.members, bytes)
        return chunk
    }

    /// A member without a size, or with one that nothing confirms: then `isChunkEnd` decides.
    private mutating func beginMember() throws(Failure) -> Chunk {
        defer { last = .gzip }
        guard let size = try memberSize(at: 0) else { return try begin(.rest) }
        var chunk = try begin(.atLeast(UInt64(size)))
        chunk.chain = (room.members, Bytes())
        return chunk
    }

    /// The size of the member at an offset in `held`, if its header gives one.
    private mutating func memberSize(at position: Int) throws(Failure) -> Int? {
        guard try fill(position + BGZFHeader.headerSize, stalls: Self.memberStalls) else { return nil }
        return BGZFHeader.size(peek(BGZFHeader.headerSize, at: position))
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
        while !isEnded, held.bytes.count < BGZFHeader.headerSize {
            guard BGZFHeader.begins(with: peek(BGZFHeader.headerSize)) else { return false }
            _ = try fill(BGZFHeader.headerSize, stalls: Self.memberStalls)
        }
        return BGZFHeader.size(peek(BGZFHeader.headerSize)) != nil
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

    private mutating func chunk(
        size: Int, content: Int, slots: Int, from place: ForeignPlace?
    ) throws(Failure) -> Chunk {
        let (offset, segments) = (held.offset, SegmentQueue(nil))
        try segments.push(take(size))
        segments.close()
        return Chunk(.segments(segments), at: offset, bound: content, slots: slots, context: place)
    }

    /// Begins a chunk that is handed on in segments.
    ///
    /// - Parameters:
    ///   - extent: its bytes.
    ///   - place: where within foreign data it begins, if that is not between members.
    private mutating func begin(_ extent: Extent, at place: ForeignPlace? = nil) throws(Failure) -> Chunk {
        let segments = try room.segments(window: nil)
        feed = (segments, extent)
        return Chunk(.segments(segments), at: held.offset, context: place ?? last.map { .after($0) })
    }

    /// Hands on what is left of the chunk that was begun last.
    private mutating func finishFeed() throws(Failure) {
        guard let (segments, extent) = feed else { return }
        feed = nil
        var rest: UInt64? =
            switch extent {
            case .rest: nil
            case .exactly(let size), .atLeast(let size): size
            }
        do throws(Failure) {
            try segments.fill { () throws(Failure) in
                if rest == 0 {
                    guard case .atLeast = extent, try !isChunkEnd() else { return nil }
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
        // If the chunk ended early, or is all the rest, its decoder reports what is wrong: no block follows.
        if rest != 0 { stream = nil }
    }

    // MARK: Input

    /// Reads until `held` has at least `count` bytes: no others are read, so these are all that is held.
    ///
    /// - Parameter stalls: the number of consecutive short reads to wait for.
    /// - Returns: false at the end of the input, after that many short reads, or if so much must not be held.
    private mutating func fill(_ count: Int, stalls most: Int) throws(Failure) -> Bool {
        guard count <= mostHeld else { return false }
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
    private func peek(_ count: Int, at position: Int = 0) -> [UInt8] {
        let end = min(held.bytes.count, position + count)
        return position < end ? held.bytes.slice(position..<end).elements : []
    }

    private mutating func take(_ count: Int) -> Bytes {
        let bytes = held.bytes.removeFirst(count)
        held.offset += UInt64(bytes.count)
        return bytes
    }
}

/// Streams of xz: small ones share a chunk; of others, blocks whose sizes are known become chunks, and the end of their
/// stream one more.
extension ForeignCutter {
    private mutating func beginStream() throws(Failure) -> Chunk {
        if let streams = try wholeStreams() { return streams }
        guard try fill(XzPlace.headerSize, stalls: Self.blockStalls),
            let start = XzPlace(header: peek(XzPlace.headerSize), at: held.offset)
        else { return try begin(.rest) }
        // The header holds no content, and was verified.
        _ = take(XzPlace.headerSize)
        stream = start
        last = .xz
        return try nextBlocks()
    }

    /// Small streams that have arrived as a whole, with the padding between them; nil if the next one is not small,
    /// or has not arrived.
    private mutating func wholeStreams() throws(Failure) -> Chunk? {
        var streams = BlockSizes()
        var window = peek(SegmentCutter.segmentSize)
        gathering: while streams.content < FrameCutter.batchBound {
            switch smallStream(in: window, at: Int(streams.compressed)) {
            case .whole(let stream, let end):
                let before = streams
                streams.add(stream, upTo: end)
                guard areHeld(streams) else {
                    streams = before
                    break gathering
                }
            case .cut(let count):
                let stalls = streams.compressed > 0 ? Self.memberStalls : Self.blockStalls
                guard count <= SegmentCutter.segmentSize, try fill(count, stalls: stalls) else { break gathering }
                window = peek(SegmentCutter.segmentSize)
            case .other: break gathering
            }
        }
        guard streams.compressed > 0 else { return nil }
        defer { last = .xz }
        return try takeWhole(streams, at: .streams(after: last))
    }

    /// The stream at an offset in held bytes, after any padding, if it is small.
    private mutating func smallStream(in window: [UInt8], at offset: Int) -> SmallStream {
        var end = offset
        if offset > 0 { end += window[offset...].prefix { $0 == 0 }.count & ~3 }
        let first = end + XzPlace.headerSize
        guard first < window.count else { return .cut(first + 1) }
        guard var stream = XzPlace(header: Array(window[end..<first]), at: held.offset + UInt64(end)) else {
            return .other
        }
        end = first
        var blocks = BlockSizes()
        while !XzPlace.isIndex(window[end]) {
            let header = end..<end + XzPlace.headerSize(ofBlock: window[end])
            guard header.upperBound <= window.count else { return .cut(header.upperBound) }
            guard let block = block(Array(window[header]), of: stream, at: end) else { return .other }
            stream.pass(block)
            guard blocks.addSmall(block) else { return .other }
            end = first + Int(blocks.compressed)
            guard end < window.count else { return .cut(end + 1) }
        }
        guard let tail = try? stream.tailSize() else { return .other }
        end += Int(tail)
        return end <= window.count ? .whole(blocks, end: end) : .cut(end)
    }

    private mutating func nextBlocks() throws(Failure) -> Chunk {
        let before = stream?.count ?? 0
        func place() -> ForeignPlace? { stream.map { .within($0.forBlocks(after: before)) } }
        var blocks = BlockSizes()
        while blocks.content < FrameCutter.batchBound, let block = try block(at: Int(blocks.compressed)) {
            var more = blocks
            more.add(block)
            // However little content they claim, their bytes take memory.
            guard isHeld(block), areHeld(more), try fill(Int(more.compressed), stalls: Self.blockStalls) else { break }
            blocks = more
            stream?.pass(block)
        }
        if blocks.compressed > 0 { return try takeWhole(blocks, at: place()) }
        // Too large to be held, or slow to arrive.
        if let block = try block(at: 0) {
            stream?.pass(block)
            return try begin(.exactly(block.size), at: place())
        }
        // Anything that is not a block, or hides its end, is up to a decoder that knows the stream so far.
        defer { stream = nil }
        let isIndex = try fill(1, stalls: Self.blockStalls) && XzPlace.isIndex(peek(1)[0])
        let tail = isIndex ? try stream.map { stream throws(Failure) in try foreign(stream.tailSize()) } : nil
        return try begin(tail.map { .exactly($0) } ?? .rest, at: stream.map { .within($0) })
    }

    /// The block at an offset in `held`, if its header or the file's index gives its sizes.
    private mutating func block(at position: Int) throws(Failure) -> XzPlace.Block? {
        guard try fill(position + 1, stalls: Self.blockStalls) else { return nil }
        let first = peek(1, at: position)[0]
        let size = XzPlace.headerSize(ofBlock: first)
        guard !XzPlace.isIndex(first), try fill(position + size, stalls: Self.blockStalls) else { return nil }
        return stream.flatMap { block(peek(size, at: position), of: $0, at: position) }
    }

    private mutating func block(_ header: [UInt8], of stream: XzPlace, at position: Int) -> XzPlace.Block? {
        if let block = stream.block(header) { return block }
        guard let index = fileIndex(from: stream.start) else { return nil }
        return stream.block(header, in: index.blocks, at: held.offset + UInt64(position) - index.start)
    }

    /// Reads the indexes of the file's streams, once. Of input that is not a file, they come too late.
    private mutating func fileIndex(from start: UInt64) -> (blocks: XzFileIndex?, start: UInt64)? {
        if let index { return index }
        let source = reader.source
        guard source.isRandomAccess, let size = source.size, start < size else { return nil }
        // What can't be read there fails the run when it is reached.
        let blocks = XzFileIndex(ofFile: size - start) { offset, count in
            try? source.bytes(at: start + offset, count: count)
        }
        index = (blocks, start)
        return index
    }

    /// Whether a block is held as a whole: if it takes one slot, or at most half of them. A stream's first block may be
    /// its only one, and is held only up to a frame's usual bound.
    private func isHeld(_ block: XzPlace.Block) -> Bool {
        let isFirst = stream?.count == 0
        if isFirst, max(block.size, block.contentSize) > FrameCutter.slotSize { return false }
        var sizes = BlockSizes()
        sizes.add(block)
        return areHeld(sizes)
    }

    private func areHeld(_ sizes: BlockSizes) -> Bool {
        slotCount(of: sizes).map { $0 == 1 || $0 <= room.slots.count / 2 } ?? false
    }

    /// The most bytes that are read ahead, whatever headers claim: those for which half of the slots account, and a
    /// segment for headers.
    private var mostHeld: Int { max(1, room.slots.count / 2) * Int(clamping: slotShare) + SegmentCutter.segmentSize }

    /// The bytes of blocks, and of what they need, that a slot accounts for. Unlike frames, blocks are held in slots
    /// only: the room for other frames, two slots for each worker, is divided among the slots.
    private var slotShare: UInt64 {
        2 * room.slotSize + 2 * room.slotSize * UInt64(workers) / UInt64(room.slots.count)
    }

    /// The number of slots that account for the memory of blocks: their compressed and decompressed bytes and, beyond
    /// the room that a worker and the reader have for a frame anyway, what the decoder needs and what has arrived.
    ///
    /// - Returns: nil if that is too much to count.
    private func slotCount(of blocks: BlockSizes) -> Int? {
        func excess(_ bytes: UInt64, over size: UInt64) -> UInt64 { bytes - min(bytes, size) }
        let decoder = excess(blocks.memory, over: max(room.slotSize, room.largeWindow))
        let terms = [blocks.compressed, blocks.content, decoder, excess(blocks.compressed, over: room.slotSize)]
        guard terms.allSatisfy({ $0 < UInt64(Int32.max) }) else { return nil }
        return Int((terms.reduce(0, +) + slotShare - 1) / slotShare)
    }

    private mutating func takeWhole(_ blocks: BlockSizes, at place: ForeignPlace?) throws(Failure) -> Chunk {
        let (size, content) = (Int(blocks.compressed), Int(blocks.content))
        let count = try room.slots.takeMore(for: slotCount(of: blocks) ?? 1)
        return try chunk(size: size, content: content, slots: count, from: place)
    }
}

/// The sizes of the blocks or streams of one chunk, in bytes.
private struct BlockSizes {
    private(set) var compressed: UInt64 = 0
    private(set) var content: UInt64 = 0
    /// The memory of the decoder that takes them one after another.
    private(set) var memory: UInt64 = 0

    mutating func add(_ block: XzPlace.Block) {
        compressed += block.size
        content += block.contentSize
        memory = max(memory, block.memory)
    }

    /// Adds a block that is small.
    ///
    /// - Returns: false if the block, or all of them together, are not small.
    mutating func addSmall(_ block: XzPlace.Block) -> Bool {
        guard max(block.size, block.contentSize) < FrameCutter.batchBound else { return false }
        add(block)
        return max(compressed, content) < FrameCutter.batchBound
    }

    /// Adds the blocks of a stream that ends at an offset.
    mutating func add(_ stream: BlockSizes, upTo end: Int) {
        compressed = UInt64(end)
        content += stream.content
        memory = max(memory, stream.memory)
    }
}

/// What is found where a small stream may begin.
private enum SmallStream {
    /// All of one, which ends at this offset.
    case whole(BlockSizes, end: Int)
    /// The bytes end too early: more are needed, up to this offset.
    case cut(Int)
    /// Not a stream, or one that is large, hides its end or is damaged.
    case other
}
