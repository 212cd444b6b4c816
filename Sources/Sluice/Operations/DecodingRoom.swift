internal import StagedDecoding

/// The memory that the frames of a decompression may take, whose sizes are the file's.
struct DecodingRoom: Sendable {
    /// How a frame is decoded that is larger than a slot. Each way takes less memory than the one before.
    enum LargeFrames {
        /// In segments by several cores, if it is one of few.
        case onManyCores
        /// As a whole, in several slots.
        case asWholes
        /// In segments, by one core.
        case inSegments
        /// In segments, and only one at a time: each takes a window.
        case oneByOne
    }

    /// The most that usual frames decompress to, in bytes: slots become smaller only when workers can't be spared.
    private static let usualFrame = 8 << 20
    private static let smallestSlot = 1 << 20
    /// More than a context takes without a window, in bytes.
    static let contextMemory = 1 << 20

    /// Decompressed bytes that a slot bounds.
    var slotSize = Int(FrameCutter.slotSize)
    private(set) var largeFrames = LargeFrames.onManyCores

    /// Whether a frame may take several slots.
    private var holdsLargeFrames: Bool {
        switch largeFrames {
        case .onManyCores, .asWholes: true
        case .inSegments, .oneByOne: false
        }
    }

    /// Bytes of memory of a run.
    ///
    /// - Parameter window: bytes of the largest window.
    func memory(of size: RunSize, window: Int) -> Int {
        let largest = holdsLargeFrames ? slotSize * size.slots : slotSize
        // Frames below a mebibyte share a chunk. Compressed they are no larger.
        let chunk = largest + Self.smallestSlot
        // For frames that are held as wholes each worker has a window, which is smaller than the frame.
        let windows =
            size.countsWindows && largeFrames != .oneByOne
            ? size.workers * window : size.workers * min(window, largest) + (size.countsWindows ? window : 0)
        return size.slots * 2 * slotSize + (1 + 2 * size.workers) * chunk + Frame.segmentCount * Frame.segmentSize
            + size.workers * Self.contextMemory + windows
            + (largeFrames == .onManyCores && size.workers > 1 ? StagedFrame.memory : 0)
    }

    /// - Returns: false if nothing is left to save in this way.
    mutating func reduce(by saving: Saving) -> Bool {
        switch (saving, largeFrames) {
        case (.largeFrames, .onManyCores): largeFrames = .asWholes
        case (.largeFrames, .asWholes): largeFrames = .inSegments
        case (.largeFrames, .inSegments): largeFrames = .oneByOne
        case (.slots, _) where slotSize > Self.usualFrame: slotSize /= 2
        case (.frames, _) where slotSize > Self.smallestSlot: slotSize /= 2
        default: return false
        }
        return true
    }

    /// The room for the chunks of a run; of windows above the limit there is one at a time.
    func chunks(on engine: Engine, window: UInt64) -> ChunkRoom {
        // A buffer is for many frames, not for larger ones.
        let slots = holdsLargeFrames ? engine.slots.count - engine.job.bufferSlots : 1
        let room = ChunkRoom(
            slots: engine.slots, slotSize: UInt64(slotSize), mostHeld: UInt64(slotSize) * UInt64(slots),
            largeWindow: largeFrames == .oneByOne ? 0 : window)
        engine.latch.onFailure { room.windows.cancel() }
        return room
    }
}
