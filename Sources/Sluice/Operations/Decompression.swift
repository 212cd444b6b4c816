internal import ForeignCodec
public import ZstdCodec

/// Decompresses every input that has frames on all workers, and what is in another format that is read on one.
public struct Decompression: Operation {
    private(set) var limits: DecodingLimits
    /// What the frames may refer to.
    let dictionary: DecompressionDictionary?
    /// Whether what is in no format that is read passes as it is.
    let passesForeign: Bool

    /// - Parameters:
    ///   - windowLimit: bytes: frames with a larger window are refused; the difference to a reference may have more.
    ///   - dictionary: what the frames were made with.
    ///   - passesForeign: whether what is in no format that is read passes as it is.
    ///   - verifiesChecksums: whether a frame whose checksum is not its content's is an error.
    public init(
        windowLimit: UInt64 = Self.defaultWindowLimit, dictionary: DecompressionDictionary? = nil,
        passesForeign: Bool = false, verifiesChecksums: Bool = true
    ) {
        var limits = DecodingLimits(
            windowSize: max(windowLimit, dictionary?.window ?? 0), dictionaryIdentifier: dictionary?.identifier)
        limits.verifiesChecksums = verifiesChecksums
        self.limits = limits
        self.dictionary = dictionary
        self.passesForeign = passesForeign
    }

    /// 128 MiB, as for zstd: `ZSTD_WINDOWLOG_LIMIT_DEFAULT`.
    public static let defaultWindowLimit: UInt64 = 1 << 27

    var decompresses: Bool { true }
    /// The content is what the input says, whatever the settings.
    var recipe: String? { "content" }
    var mayBypassCache: Bool { false }
    /// The size of a frame is the file's; this is what a slot bounds.
    var slotSize = Int(FrameCutter.slotSize)
    /// Whether a frame may take several slots.
    private var holdsLargeFrames = true
    /// Whether one large frame may be decoded on several cores.
    private var usesStages = true
    /// Whether of what comes in parts, and takes a window each, there is one at a time.
    private var hasOneWindow = false

    init(limits: DecodingLimits, dictionary: DecompressionDictionary?, passesForeign: Bool) {
        (self.limits, self.dictionary, self.passesForeign) = (limits, dictionary, passesForeign)
    }

    /// What most frames decompress to at most, in bytes: a slot is not made smaller as long as workers can go.
    private static let usualFrame = 8 << 20
    private static let smallestSlot = 1 << 20
    /// Windows are not refused below this, in bytes, to save memory: every decoder has to take it (RFC 8878,
    /// 3.1.1.1.2).
    private static let smallestWindow: UInt64 = 8 << 20
    /// Bytes of a context without a window, and more than that.
    private static let contextMemory = 1 << 20

    func memory(of size: RunSize) -> Int {
        let largest = holdsLargeFrames ? slotSize * size.slots : slotSize
        // Frames that are smaller than a mebibyte come with others. Compressed they are no larger.
        let chunk = largest + Self.smallestSlot
        let window = Int(clamping: limits.windowSize)
        // Of frames that are held as a whole each worker has a window, which is smaller than the frame.
        let windows =
            size.countsWindows && !hasOneWindow
            ? size.workers * window : size.workers * min(window, largest) + (size.countsWindows ? window : 0)
        return size.slots * 2 * slotSize + (1 + 2 * size.workers) * chunk + Frame.segmentCount * Frame.segmentSize
            + size.workers * Self.contextMemory + windows + (dictionary?.memory ?? 0)
            + (usesStages && size.workers > 1 ? Stages.memory : 0)
    }

    mutating func save(_ saving: Saving) -> Bool {
        switch saving {
        case .largeFrames where usesStages: usesStages = false
        case .largeFrames where holdsLargeFrames: holdsLargeFrames = false
        case .largeFrames where !hasOneWindow: hasOneWindow = true
        case .slots where slotSize > Self.usualFrame: slotSize /= 2
        case .frames where slotSize > Self.smallestSlot: slotSize /= 2
        case .windows where limits.windowSize / 2 >= Self.smallestWindow: limits.windowSize /= 2
        default: return false
        }
        return true
    }

    func run(on engine: Engine) throws(Failure) -> Int {
        if passesForeign, try isForeign(engine.reader) { return try Copying().run(on: engine) }
        let stages = makeStages(on: engine)
        return try run(on: engine) { [limits, dictionary, hasOneWindow] () throws(Failure) in
            try DecompressTransform(
                limits: limits, dictionary: dictionary, keepsWindow: !hasOneWindow, stages: stages)
        }
    }

    /// What decodes large frames on several cores; nil if nothing does.
    func makeStages(on engine: Engine) -> Stages? { usesStages ? engine.makeStages() : nil }

    /// Cuts the input into frames, for workers that decode them.
    func run<Work: Transform & SendableMetatype & ~Copyable>(
        on engine: Engine, makeTransform: @escaping @Sendable () throws(Failure) -> Work
    ) throws(Failure) -> Int {
        // A buffer is for many frames, not for larger ones.
        let slot = UInt64(slotSize)
        let most = holdsLargeFrames ? slot * UInt64(engine.slots.count - engine.bufferSlots) : slot
        let windows = hasOneWindow ? Slots(1) : nil
        if let windows { engine.latch.onFailure { windows.cancel() } }
        let frames = FrameCutter(
            engine.reader, slots: engine.slots, slotSize: slot, windows: windows, limits: limits,
            frameLimits: (slot, most))
        var cutter = FormatCutter(frames)
        let contexts = try engine.run(&cutter, makeTransform: makeTransform)
        return memory(cutter.memory, contexts, on: engine)
    }

    /// Bytes that slots and workers could hold at most.
    ///
    /// - Parameter contexts: what the workers held between chunks.
    func memory(_ memory: FrameCutter.Memory, _ contexts: Int, on engine: Engine) -> Int {
        // Beyond the slots, the cutter holds what it has not handed on, and each worker may hold a frame whose slot has
        // already gone to the next one.
        let held = (1 + engine.workers) * max(memory.perChunk, SegmentCutter.segmentSize)
        let parts = memory.firstSegment > 0 ? memory.firstSegment + Frame.segmentCount * Frame.segmentSize : 0
        return engine.slots.count * max(memory.perSlot, SegmentCutter.segmentSize) + held + parts + contexts
            + (dictionary?.memory ?? 0)
    }

    /// A file, its content, and a window that is smaller than that.
    var wholeFileMemory: Int? { Int(17 * WholeFileWorker.sizeLimit) + Self.contextMemory }

    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? {
        passesForeign ? nil : try WholeFileDecompression(limits: limits, dictionary: dictionary)
    }

    private func isForeign(_ reader: ChunkReader) throws(Failure) -> Bool {
        let magic = try reader.peek(FrameScanner.magicSize).elements
        // What is empty is cut, and not of another kind.
        if magic.isEmpty || magic.withUnsafeBytes(FrameScanner.isFrame) { return false }
        return ForeignFormat(magic: magic)?.isRead != true
    }
}

extension Action {
    /// Decompresses; frames with a larger window, in bytes, are refused. What is not compressed may pass as it is.
    ///
    /// - Parameters:
    ///   - windowLimit: bytes; frames with a larger window are refused.
    ///   - dictionary: what the frames were made with; the difference to a reference may have a window of twice that.
    ///   - passesForeign: whether what is in no format that is read passes as it is.
    ///   - verifiesChecksums: whether a frame whose checksum is not its content's is an error.
    public static func decompress(
        windowLimit: UInt64 = Decompression.defaultWindowLimit, dictionary: DecompressionDictionary? = nil,
        passesForeign: Bool = false, verifiesChecksums: Bool = true
    ) -> Action {
        Action(
            operation: Decompression(
                windowLimit: windowLimit, dictionary: dictionary, passesForeign: passesForeign,
                verifiesChecksums: verifiesChecksums))
    }
}
