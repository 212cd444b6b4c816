/// The memory that the chunks of a decompression may take, and how much of it they took.
struct ChunkRoom {
    let slots: Slots
    /// Decompressed bytes that each of them bounds; a larger frame takes several.
    var slotSize = FrameCutter.slotSize
    /// The most bytes of a frame that is held as a whole.
    var mostHeld = FrameCutter.slotSize
    /// For the windows of streamed frames that are larger than most: of others there may be as many as workers.
    var windows = Slots(1)
    /// The size of the others, in bytes.
    var largeWindow = UInt64.max

    /// The most bytes that were held for each slot of a chunk, compressed and decompressed.
    private(set) var perSlot = 0
    /// The same for a chunk.
    private(set) var perChunk = 0
    /// The most bytes that were held of a frame before it was handed on in segments.
    private(set) var firstSegment = 0

    /// Takes the slots that a chunk needs besides the one that the reader holds for it, and notes what they bound.
    ///
    /// - Returns: how many slots the chunk has.
    mutating func take(for compressed: Int, content: Int) throws(Failure) -> Int {
        perChunk = max(perChunk, compressed + content)
        return try take(Int((UInt64(content) + slotSize - 1) / slotSize), for: compressed + content)
    }

    /// Takes this many slots, as far as there are so many, for the bytes of a chunk.
    mutating func take(_ wanted: Int, for bytes: Int) throws(Failure) -> Int {
        let count = try slots.takeMore(for: wanted)
        perSlot = max(perSlot, bytes / count)
        return count
    }

    /// Notes bytes that are held of a frame that is handed on in segments.
    mutating func hold(_ count: Int) { firstSegment = max(firstSegment, count) }

    /// Begins a chunk that is handed on in segments; waits until there may be one more of its window.
    ///
    /// - Parameters:
    ///   - window: bytes; nil in another format, where each counts as large.
    ///   - held: bytes of the chunk that the cutter holds.
    ///   - place: where within foreign data it begins, if it does.
    mutating func segments(
        window: UInt64?, held: Int = SegmentCutter.segmentSize, at place: ForeignPlace? = nil
    ) throws(Failure) -> SegmentQueue {
        hold(held)
        let isLarge = window.map { $0 > largeWindow } ?? true
        // Before the worker gets the chunk: windows are taken in the order of the output.
        // The frame that has the last window may be held back until more slots are in use.
        if isLarge, !windows.take(insteadOf: slots) { throw .cancelled }
        return SegmentQueue(slots, windows: isLarge ? windows : nil, place: place)
    }
}
