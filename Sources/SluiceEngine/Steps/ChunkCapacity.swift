/// The memory that the chunks of a decompression may take.
struct ChunkCapacity {
    let slots: Slots
    /// Decompressed bytes per slot; a larger frame takes several.
    var slotSize: UInt64
    /// The most bytes of a frame that is held as a whole.
    var mostHeld: UInt64
    /// Permits for unusually large windows; ordinary windows are bounded by the number of workers. The reader takes
    /// them, and the frame that has the last one may be held back until enough slots are in use.
    let windows: Slots
    /// The chunks of gzip members that say their sizes.
    let members: ChunkChain
    /// The size in bytes above which a window is unusually large.
    let largeWindow: UInt64

    init(
        slots: Slots, slotSize: UInt64 = FrameCutter.slotSize, mostHeld: UInt64 = FrameCutter.slotSize,
        windows: Int = 1, largeWindow: UInt64 = .max
    ) {
        (self.slots, self.slotSize, self.mostHeld, self.largeWindow) = (slots, slotSize, mostHeld, largeWindow)
        self.windows = Slots(windows, insteadOf: slots)
        members = ChunkChain(slots)
    }

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
        // Take the permit before a worker gets the chunk, so that permits are taken in the order of the output.
        if isLarge, !windows.take() { throw .cancelled }
        return SegmentQueue(slots, windows: isLarge ? windows : nil)
    }
}
