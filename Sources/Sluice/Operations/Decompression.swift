internal import StagedDecoding

/// Decompresses Zstandard, gzip, xz, lzma or lz4: frames on all workers, and the other formats as far as they say where
/// their parts end.
public struct Decompression: DecodingOperation, ResumableOperation, WholeFileOperation {
    private(set) var limits: DecodingLimits
    /// Whether a larger window is accepted for a frame at a time, if the memory is there.
    private var sharesWindows: Bool
    /// What the frames may refer to.
    public let dictionary: DecompressionDictionary?
    /// Whether input in an unknown format is copied unchanged.
    package var passesForeign = false
    /// The ranges of the content that a run writes, in this order; nil for all of it.
    public var ranges: [ContentRange]?
    /// Keeps where the frames of a file are, if `ranges` needs that and only decoding the whole file tells it.
    public var indexFile: IndexFile?
    /// Those of `decompress`, for all copies of this value.
    let contexts = IdlePool<DecompressTransform>()

    /// Creates a decompression, without a dictionary, within safe limits.
    ///
    /// - Parameters:
    ///   - dictionary: what the frames were made with.
    ///   - windowLimit: bytes: frames with a larger window are refused with `windowTooLarge`. Nil for
    ///     `defaultWindowLimit`, and beyond it as much as leaves all such windows of the process a quarter of the
    ///     available memory.
    ///   - verifiesChecksums: whether a frame with a wrong checksum is an error.
    ///   - ranges: the ranges of the content that a run writes, in this order; nil for all of it.
    public init(
        dictionary: DecompressionDictionary? = nil, windowLimit: Int? = nil,
        verifiesChecksums: Bool = true, ranges: [ContentRange]? = nil
    ) {
        sharesWindows = windowLimit == nil
        // The difference to a reference, which is the user's own, may have more.
        limits = DecodingLimits(
            windowSize: max(UInt64(clamping: windowLimit ?? Self.defaultWindowLimit), dictionary?.window ?? 0),
            dictionaryIdentifier: dictionary?.identifier)
        limits.verifiesChecksums = verifiesChecksums
        (self.dictionary, self.ranges) = (dictionary, ranges)
    }

    /// Bytes of the largest window that is always accepted: 128 MiB, as for zstd (`ZSTD_WINDOWLOG_LIMIT_DEFAULT`).
    public static let defaultWindowLimit = 1 << 27

    package var decompression: Decompression {
        get { self }
        set { self = newValue }
    }

    /// The content depends on the input alone.
    var recipe: String? { "content" }
    /// What a slot bounds: the sizes of frames are the file's.
    package internal(set) var slotSize = Int(FrameCutter.slotSize)
    /// Whether a frame may take several slots.
    private var holdsLargeFrames = true
    /// Whether one large frame may be decoded on several cores.
    private var usesStages = true
    /// Whether frames that come in segments, and take a window each, are decoded one at a time.
    private var hasOneWindow = false
    /// Keeps where the frames lie.
    var survey: Survey?

    /// The most that usual frames decompress to, in bytes: slots become smaller only when workers can't be spared.
    private static let usualFrame = 8 << 20
    private static let smallestSlot = 1 << 20
    /// To save memory, windows are refused down to this size, in bytes: every decoder has to take it (RFC 8878,
    /// 3.1.1.1.2).
    private static let smallestWindow: UInt64 = 8 << 20
    /// More than a context takes without a window, in bytes.
    private static let contextMemory = 1 << 20

    package func memory(of size: RunSize) -> Int {
        let largest = holdsLargeFrames ? slotSize * size.slots : slotSize
        // Frames below a mebibyte share a chunk. Compressed they are no larger.
        let chunk = largest + Self.smallestSlot
        let window = Int(clamping: limits.windowSize)
        // For frames that are held as wholes each worker has a window, which is smaller than the frame.
        let windows =
            size.countsWindows && !hasOneWindow
            ? size.workers * window : size.workers * min(window, largest) + (size.countsWindows ? window : 0)
        return size.slots * 2 * slotSize + (1 + 2 * size.workers) * chunk + Frame.segmentCount * Frame.segmentSize
            + size.workers * Self.contextMemory + windows + (dictionary?.memory ?? 0)
            + (usesStages && size.workers > 1 ? StagedFrame.memory : 0)
    }

    package mutating func reduceMemory(by saving: Saving) -> Bool {
        switch saving {
        case .largeFrames where usesStages: usesStages = false
        case .largeFrames where holdsLargeFrames: holdsLargeFrames = false
        case .largeFrames where !hasOneWindow: hasOneWindow = true
        case .slots where slotSize > Self.usualFrame: slotSize /= 2
        case .frames where slotSize > Self.smallestSlot: slotSize /= 2
        case .windows where limits.windowSize / 2 >= Self.smallestWindow:
            limits.windowSize /= 2
            sharesWindows = false
        default: return false
        }
        return true
    }

    /// Accepts one frame at a time whose window is larger than the limit, up to `singleWindow` bytes.
    mutating func accept(singleWindow: UInt64) { limits.singleWindowSize = singleWindow }

    /// The largest window that it accepts, in bytes.
    var largestWindow: UInt64 { max(limits.windowSize, limits.singleWindowSize) }

    /// The limits of one run, or of another decoding that has one large window at a time.
    var ownLimits: DecodingLimits {
        var limits = limits
        if sharesWindows { limits.allowsLarger = SharedWindows().allows }
        return limits
    }

    package func run(on engine: Engine) throws(Failure) {
        if passesForeign, survey == nil, try isForeign(engine.reader) { return try Copying().run(on: engine) }
        let limits = ownLimits
        var cutter = FrameCutter(
            engine.reader, room: room(on: engine), limits: limits, memberWorkers: engine.workers)
        try decode(&cutter, within: limits, on: engine)
    }

    /// The memory that a run's chunks may take; of large windows there is one at a time.
    func room(on engine: Engine) -> ChunkRoom {
        // A buffer is for many frames, not for larger ones.
        let slots = holdsLargeFrames ? engine.slots.count - engine.job.bufferSlots : 1
        let room = ChunkRoom(
            slots: engine.slots, slotSize: UInt64(slotSize), mostHeld: UInt64(slotSize) * UInt64(slots),
            largeWindow: hasOneWindow ? 0 : limits.windowSize)
        engine.latch.onFailure { room.windows.cancel() }
        return room
    }

    /// Decodes what a cutter with these limits cuts.
    ///
    /// - Parameter index: frames must have as much content as it says.
    func decode(
        _ cutter: inout some ChunkCutter, within limits: DecodingLimits, index: FrameIndex? = nil, on engine: Engine
    ) throws(Failure) {
        let stages = usesStages ? engine.makeStages() : nil
        try engine.run(&cutter) { [dictionary, hasOneWindow, survey, zeros = engine.zeros] () throws(Failure) in
            try DecompressTransform(
                limits: limits, dictionary: dictionary, keepsWindow: !hasOneWindow, stages: stages, index: index,
                survey: survey, zeros: zeros)
        }
    }

    package var shortcut: Shortcut? { .wholeFile(self) }

    /// A file, its content, and a window that is smaller than that.
    package var wholeFileMemory: Int { Int(17 * Job.largestWholeFile) + Self.contextMemory }

    package func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? {
        passesForeign ? nil : try WholeFileDecompression(limits: limits, dictionary: dictionary)
    }

    private func isForeign(_ reader: ChunkReader) throws(Failure) -> Bool {
        let magic = try reader.peek(FrameScanner.magicSize).elements
        // Empty input is truncated, and not in another format.
        if magic.isEmpty || magic.withUnsafeBytes(FrameScanner.isFrame) { return false }
        return ForeignFormat(magic: magic)?.isRead != true
    }
}

extension Decompression {
    /// What a run does: decompress everything, or the ranges.
    var operation: any Operation { ranges.map { Extraction($0, self, indexFile: indexFile) } ?? self }
}
