internal import Dispatch
internal import ZstdCodec

/// Cuts compressed input into chunks of whole frames, and decides when they are handed on.
///
/// Small frames share a chunk; skippable frames are dropped. A frame that is too large to be held, or whose bytes stop
/// coming, is handed on in parts.
struct FrameCutter: ChunkCutter {
    /// What was held at most, in bytes.
    struct Memory {
        /// For each slot that a chunk has, compressed and decompressed.
        var perSlot = 0
        /// For a chunk, compressed and decompressed.
        var perChunk = 0
        /// Of a frame before it was handed on in parts.
        var firstPart = 0
    }

    /// Frames are gathered until they decompress to this many bytes.
    static let batchBound: UInt64 = 1 << 20
    /// How long to wait for a full part: what has come by then is looked at.
    static let patience = DispatchTimeInterval.milliseconds(150)
    /// Short parts in a row after which a frame counts as stalled, about half a second.
    private static let stallLimit = 3
    /// Bytes of blocks with hardly any content, of which a frame that is held may have no more: such a frame has no
    /// end.
    private static let mostOverhead: UInt64 = 64 << 10

    /// What one slot bounds if nothing else is said, in decompressed bytes: a frame that is larger takes several.
    static let slotSize: UInt64 = 32 << 20

    private let reader: ChunkReader
    private let slots: Slots
    /// What each of them bounds, in decompressed bytes.
    private let slotSize: UInt64
    /// For each window of what comes in parts; nil if there may be as many as workers.
    private let windows: Slots?
    /// The most that a frame held as a whole decompresses to, in bytes: what all the slots bound, but for the first
    /// frame.
    ///
    /// A first frame of more than a slot is most often the only one, and nothing is gained by holding it.
    private let frameLimits: (first: UInt64, later: UInt64)
    private var input: ScannedInput
    /// How many bytes at its start are whole frames, and what these decompress to at most.
    private var whole = (count: 0, bound: UInt64(0))
    private var stalls = 0
    /// Whether it begins with a frame that is there as a whole, but decompresses to more than is held as a whole.
    private var isOversized = false
    /// Takes the frame that is handed on in parts.
    private var feed: SegmentQueue?
    private(set) var memory = Memory()
    /// How the input ended, when it has: what came before is handed on first.
    private var ending: Result<Void, Failure>?

    init(
        _ reader: ChunkReader, slots: Slots, slotSize: UInt64 = Self.slotSize, windows: Slots? = nil,
        limits: DecodingLimits, frameLimits: (first: UInt64, later: UInt64)
    ) {
        self.slotSize = slotSize
        self.windows = windows
        self.reader = reader
        self.slots = slots
        self.frameLimits = frameLimits
        input = ScannedInput(limits: limits)
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        while true {
            if let ending {
                if let chunk = try takeWhole() { return chunk }
                try ending.get()
                return nil
            }
            do {
                if let chunk = try advance() { return chunk }
            } catch {
                ending = .failure(error)
                feed?.fail(error)
            }
        }
    }

    func cancel() { feed?.fail(.cancelled) }

    /// After a failure, what came and was not handed on: about a part at most, for all frames before it were.
    ///
    /// - Throws: `missingSeekTable` if the frames before it must not end here.
    mutating func takeRest() throws(Failure) -> (bytes: Bytes, offset: UInt64) {
        (try input.takeRest(), input.offset)
    }

    /// The first bytes of what came and was not handed on.
    func peek(_ count: Int) -> [UInt8] { input.peek(count) }

    /// Scans what has come, or reads on; returns a chunk when there is one.
    private mutating func advance() throws(Failure) -> Chunk.Content? {
        if isOversized { return try takeOversized() }
        if !input.isScanned { return try scan() }
        if let chunk = try handOn() { return chunk }
        let isWaiting = input.current != nil || whole.count > 0
        guard
            let part = try reader.read(
                SegmentCutter.partSize, within: Self.patience, fromFirstByte: !isWaiting || feed != nil)
        else {
            try input.finish()
            ending = .success(())
            return nil
        }
        stalls = part.count < SegmentCutter.partSize ? stalls + 1 : 0
        input.append(part)
        return nil
    }

    /// Scans up to the end of a frame or of what has come.
    private mutating func scan() throws(Failure) -> Chunk.Content? {
        let ended = try input.scan()
        if ended != nil { stalls = 0 }
        guard let frame = ended ?? input.current else { return nil }
        if frame.isSkippable {
            let chunk = try takeWhole()
            _ = input.takeScanned()
            return chunk
        }
        if ended == nil { return nil }
        if let feed {
            try push(to: feed)
            feed.close()
            self.feed = nil
            return nil
        }
        if frame.decompressedBound > frameLimit {
            // A few bytes may become gigabytes; what came before goes first.
            isOversized = true
            return try takeWhole()
        }
        whole = (input.scannedCount, whole.bound + frame.decompressedBound)
        return whole.bound >= Self.batchBound || whole.count >= SegmentCutter.partSize ? try takeWhole() : nil
    }

    /// The limit for the frame that was scanned last.
    private var frameLimit: UInt64 { input.isInFirstFrame ? frameLimits.first : frameLimits.later }

    /// Everything that came is scanned: hands on what should not wait for more.
    private mutating func handOn() throws(Failure) -> Chunk.Content? {
        if let feed {
            try push(to: feed)
            return nil
        }
        let bound = input.current.map { max($0.header?.contentSize ?? 0, $0.blockBound) } ?? 0
        let isTooLarge = bound > frameLimit || (input.current?.overhead ?? 0) > Self.mostOverhead
        if stalls > 0 || isTooLarge, let chunk = try takeWhole() { return chunk }
        guard input.current?.header != nil, isTooLarge || stalls >= Self.stallLimit else { return nil }
        let feed = SegmentQueue(slots, windows: windows)
        self.feed = feed
        return try begin(feed)
    }

    private mutating func takeOversized() throws(Failure) -> Chunk.Content {
        isOversized = false
        let parts = SegmentQueue(slots, windows: windows)
        let chunk = try begin(parts)
        parts.close()
        return chunk
    }

    /// Hands on the frame at the start of the input, as far as it was scanned.
    private mutating func begin(_ parts: SegmentQueue) throws(Failure) -> Chunk.Content {
        let offset = input.offset
        memory.firstPart = max(memory.firstPart, input.count)
        try parts.begin()
        try push(to: parts)
        return .segments(parts, offset: offset)
    }

    private mutating func push(to parts: SegmentQueue) throws(Failure) {
        let part = input.takeScanned()
        if !part.isEmpty { try parts.push(part) }
    }

    private mutating func takeWhole() throws(Failure) -> Chunk.Content? {
        guard whole.count > 0 else { return nil }
        let (count, bound) = (whole.count, Int(whole.bound))
        let weight = max(1, min(slots.count, Int((whole.bound + slotSize - 1) / slotSize)))
        // The reader holds one slot for the next chunk, whichever it is.
        for _ in 1..<weight {
            guard slots.take() else { throw .cancelled }
        }
        memory.perSlot = max(memory.perSlot, (count + bound) / weight)
        memory.perChunk = max(memory.perChunk, count + bound)
        whole = (0, 0)
        let offset = input.offset
        return .whole(ChunkBytes(input.take(count)), bound: bound, offset: offset, slots: weight)
    }
}
