internal import Dispatch
internal import ZstdCodec

/// Cuts compressed input into chunks of whole frames, found by their headers and blocks.
///
/// Small frames share a chunk; skippable frames are dropped. A frame that is too large to be held, or whose bytes stop
/// coming, is handed on in parts.
struct FrameCutter: ChunkCutter {
    /// Frames are gathered until they decompress to this many bytes.
    private static let batchBound: UInt64 = 1 << 20
    /// Bytes asked of the reader at once.
    static let partSize = 1 << 20
    /// How long to wait for a full part: what has come by then is looked at.
    static let patience = DispatchTimeInterval.milliseconds(150)
    /// Short parts in a row after which a frame counts as stalled, about half a second.
    private static let stallLimit = 3
    /// Bytes of blocks with hardly any content, of which a frame that is held may have no more: such a frame has no end.
    private static let mostOverhead: UInt64 = 64 << 10

    /// What one slot bounds, in decompressed bytes: a frame that is larger takes several.
    static let slotSize: UInt64 = 32 << 20

    private let reader: ChunkReader
    private let slots: Slots
    /// The most that a frame held as a whole decompresses to, in bytes: what all the slots bound, but for the first frame.
    ///
    /// A first frame of more than a slot is most often the only one, and nothing is gained by holding it.
    private let frameLimits: (first: UInt64, later: UInt64)
    private var scanner: FrameScanner
    private var audit = SeekTableAudit()

    /// Bytes that came and were not handed on.
    private var held = Bytes()
    /// Where `held` begins in the input.
    private var heldOffset: UInt64 = 0
    /// How many bytes at the start of `held` are whole frames, and what these decompress to at most.
    private var whole = (count: 0, bound: UInt64(0))
    /// The end of `held`, as it came, and how much of it was scanned.
    private var fresh = (part: Bytes(), scanned: 0)
    private var stalls = 0
    /// Whether `held` begins with a frame that is there as a whole, but decompresses to more than is held as a whole.
    private var isOversized = false
    /// Takes the frame that is handed on in parts.
    private var feed: PartQueue?
    /// The most that a chunk held for each of its slots, compressed and decompressed, in bytes.
    private(set) var largest = 0
    /// The most that a chunk held, compressed and decompressed, in bytes.
    private(set) var largestChunk = 0
    /// The most that was held of a frame before it was handed on in parts, in bytes.
    private(set) var firstPart = 0
    private var isEnded = false
    private var failure: Failure?

    init(_ reader: ChunkReader, slots: Slots, windowLimit: UInt64, frameLimits: (first: UInt64, later: UInt64)) {
        self.reader = reader
        self.slots = slots
        self.frameLimits = frameLimits
        scanner = FrameScanner(windowLimit: windowLimit)
    }

    /// The limit for the frame that was scanned last.
    private var frameLimit: UInt64 {
        let isFirst = scanner.frameCount == (scanner.current == nil ? 1 : 0)
        return isFirst ? frameLimits.first : frameLimits.later
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        while true {
            if isEnded {
                // What came before a failure is handed on before it.
                if let chunk = try takeWhole() { return chunk }
                if let failure { throw failure }
                return nil
            }
            do {
                if let chunk = try advance() { return chunk }
            } catch {
                isEnded = true
                failure = error
                feed?.fail(error)
            }
        }
    }

    func cancel() { feed?.fail(.cancelled) }

    /// After a failure, what came and was not handed on: about a part at most, for all frames before it were.
    ///
    /// - Throws: `missingSeekTable` if the frames before it must not end here.
    mutating func takeRest() throws(Failure) -> (bytes: Bytes, offset: UInt64) {
        try codec { () throws(CodecFailure) in try audit.finish(at: heldOffset) }
        defer { held = Bytes() }
        return (held, heldOffset)
    }

    /// The first bytes of that.
    func peek(_ count: Int) -> [UInt8] {
        var held = held
        return held.removeFirst(count).elements
    }

    /// Scans what has come, or reads on; returns a chunk when there is one.
    private mutating func advance() throws(Failure) -> Chunk.Content? {
        if isOversized { return try takeOversized() }
        if fresh.scanned < fresh.part.count { return try scan() }
        if let chunk = try handOn() { return chunk }
        let isWaiting = scanner.current != nil || whole.count > 0
        guard
            let part = try reader.read(
                Self.partSize, within: Self.patience, fromFirstByte: !isWaiting || feed != nil)
        else {
            try end()
            return nil
        }
        stalls = part.count < Self.partSize ? stalls + 1 : 0
        held.append(part)
        fresh = (part, 0)
        return nil
    }

    /// Scans up to the end of a frame or of what has come.
    private mutating func scan() throws(Failure) -> Chunk.Content? {
        let ended = try scanFresh()
        if let ended {
            stalls = 0
            try codec { () throws(CodecFailure) in try audit.note(ended) }
        }
        guard let frame = ended ?? scanner.current else { return nil }
        if frame.isSkippable {
            let chunk = try takeWhole()
            _ = takeScanned()
            return chunk
        }
        if ended == nil { return nil }
        if let feed {
            try push(to: feed)
            feed.close()
            self.feed = nil
            return nil
        }
        if frame.decompressedBound > frameLimit || frame.hasNarrowWindow {
            // A few bytes may become gigabytes, and a window is kept to in parts only; what came before goes first.
            isOversized = true
            return try takeWhole()
        }
        whole = (Int(scanner.offset - heldOffset), whole.bound + frame.decompressedBound)
        return whole.bound >= Self.batchBound || whole.count >= Self.partSize ? try takeWhole() : nil
    }

    private mutating func scanFresh() throws(Failure) -> FrameScanner.Frame? {
        var outcome = Result<FrameScanner.Frame?, CodecFailure>.success(nil)
        fresh.part.data.enumerateBytes { region, offset, stop in
            let start = fresh.scanned - offset
            guard start >= 0, start < region.count else { return }
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(region)[start...])
            outcome = Result { () throws(CodecFailure) in
                let (scanned, ended) = try scanner.scan(bytes)
                fresh.scanned += scanned
                return ended
            }
            if case .success(nil) = outcome { return }
            stop = true
        }
        return try codec(outcome.get)
    }

    /// Everything that came is scanned: hands on what should not wait for more.
    private mutating func handOn() throws(Failure) -> Chunk.Content? {
        if let feed {
            try push(to: feed)
            return nil
        }
        let bound = scanner.current.map { max($0.header?.contentSize ?? 0, $0.blockBound) } ?? 0
        let isTooLarge = bound > frameLimit || (scanner.current?.overhead ?? 0) > Self.mostOverhead
        if stalls > 0 || isTooLarge, let chunk = try takeWhole() { return chunk }
        guard scanner.current?.header != nil, isTooLarge || stalls >= Self.stallLimit else { return nil }
        let feed = PartQueue(slots)
        self.feed = feed
        let offset = heldOffset
        firstPart = max(firstPart, held.count)
        try push(to: feed)
        return .parts(feed, offset: offset)
    }

    private mutating func push(to feed: PartQueue) throws(Failure) {
        let part = takeScanned()
        if !part.isEmpty { try feed.push(part) }
    }

    private mutating func takeWhole() throws(Failure) -> Chunk.Content? {
        guard whole.count > 0 else { return nil }
        let (count, bound) = whole
        let weight = min(slots.count, Int((bound + Self.slotSize - 1) / Self.slotSize))
        // The reader holds one slot for the next chunk, whichever it is.
        for _ in 0..<max(0, weight - 1) {
            guard slots.take() else { throw .cancelled }
        }
        largest = max(largest, (count + Int(bound)) / max(1, weight))
        largestChunk = max(largestChunk, count + Int(bound))
        defer { heldOffset += UInt64(count) }
        whole = (0, 0)
        return .whole(Parcel(held.removeFirst(count)), bound: Int(bound), offset: heldOffset, slots: max(1, weight))
    }

    private mutating func takeOversized() throws(Failure) -> Chunk.Content {
        isOversized = false
        let parts = PartQueue(slots)
        let offset = heldOffset
        firstPart = max(firstPart, held.count)
        try push(to: parts)
        parts.close()
        return .parts(parts, offset: offset)
    }

    /// Takes everything off `held` that was scanned.
    private mutating func takeScanned() -> Bytes {
        let count = Int(scanner.offset - heldOffset)
        heldOffset = scanner.offset
        return held.removeFirst(count)
    }

    private mutating func end() throws(Failure) {
        isEnded = true
        try codec { () throws(CodecFailure) in
            try scanner.finish()
            try audit.finish(at: scanner.offset)
        }
    }
}
