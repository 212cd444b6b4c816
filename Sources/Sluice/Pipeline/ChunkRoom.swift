/// The memory that the chunks of a decompression may take.
struct ChunkRoom {
    let slots: Slots
    /// Decompressed bytes per slot; a larger frame takes several.
    var slotSize = FrameCutter.slotSize
    /// The most bytes of a frame that is held as a whole.
    var mostHeld = FrameCutter.slotSize
    /// Permits for unusually large windows; ordinary windows are bounded by the number of workers.
    var windows = Slots(1)
    /// The size in bytes above which a window is unusually large.
    var largeWindow = UInt64.max

    /// Takes the slots that a chunk needs besides the one that the reader holds for it.
    ///
    /// - Parameter content: bytes that it decompresses to.
    /// - Returns: how many slots the chunk has.
    func take(for content: Int) throws(Failure) -> Int {
        try slots.takeMore(for: Int((UInt64(content) + slotSize - 1) / slotSize))
    }

    /// Begins a chunk that is handed on in segments. Waits for a permit if its window is large.
    ///
    /// - Parameter window: bytes; nil in another format, where each counts as large.
    func segments(window: UInt64?) throws(Failure) -> SegmentQueue {
        let isLarge = window.map { $0 > largeWindow } ?? true
        // Take the permit before a worker gets the chunk, so that permits are taken in the order of the output. While
        // this waits, the reader takes no slots, but the frame that has the last permit may be held back until enough
        // are in use. So all of them count as in use.
        if isLarge, !windows.take(insteadOf: slots) { throw .cancelled }
        return SegmentQueue(slots, windows: isLarge ? windows : nil)
    }
}
