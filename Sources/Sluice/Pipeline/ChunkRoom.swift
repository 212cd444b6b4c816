/// The memory that the chunks of a decompression may take.
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

    /// Takes the slots that a chunk needs besides the one that the reader holds for it.
    ///
    /// - Parameter content: bytes that it decompresses to.
    /// - Returns: how many slots the chunk has.
    func take(for content: Int) throws(Failure) -> Int {
        try slots.takeMore(for: Int((UInt64(content) + slotSize - 1) / slotSize))
    }

    /// Begins a chunk that is handed on in segments; waits until there may be one more of its window.
    ///
    /// - Parameter window: bytes; nil in another format, where each counts as large.
    func segments(window: UInt64?) throws(Failure) -> SegmentQueue {
        let isLarge = window.map { $0 > largeWindow } ?? true
        // Before the worker gets the chunk: windows are taken in the order of the output.
        // The frame that has the last window may be held back until more slots are in use.
        if isLarge, !windows.take(insteadOf: slots) { throw .cancelled }
        return SegmentQueue(slots, windows: isLarge ? windows : nil)
    }
}
