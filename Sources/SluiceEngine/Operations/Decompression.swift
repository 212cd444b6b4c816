internal import StagedDecoding

/// Decompresses Zstandard, gzip, xz, lzma or lz4: frames on all workers, and the other formats as far as they say where
/// their parts end.
///
///     var decompression = Decompression(windowLimit: 8 << 20)
///     try await decompression.run(from: .file("a.tar.zst"), to: .file("a.tar"))
///     decompression.ranges = [.last(1 << 20)]
///     try await decompression.run(from: .file("a.tar.zst"), to: .file("end"))
///
/// Empty input is an error of a run, `truncated`. These are no errors: an empty frame, frames without checksums,
/// skippable frames, several frames or streams one after the other, even in different formats, and zeros after the data
/// of gzip.
public struct Decompression: DecodingOperation, ResumableOperation, WholeFileOperation {
    private(set) var limits: DecodingLimits
    /// Whether one frame at a time may have a larger window, if the memory is available.
    private var sharesWindows: Bool
    /// The dictionary that the frames may refer to.
    public let dictionary: DecompressionDictionary?
    /// Whether input in an unknown format is copied unchanged.
    package var passesForeign = false
    /// Whether frames of a file that have no checksum must have the content that its seek table lists, if the table
    /// lists exactly these frames. zstd's command does not look at tables.
    package var comparesTable = true
    /// The ranges of the content that a run writes, in this order; nil for all of it.
    public var ranges: [ContentRange]?
    /// Keeps the index of a file's frames, if `ranges` needs it and only decoding the whole file can find them.
    public var indexFile: IndexFile?
    /// The contexts of `decompress`, shared by all copies of this value.
    let contexts = IdlePool<DecompressTransform>()

    /// Creates a decompression, without a dictionary, within safe limits.
    ///
    /// - Parameters:
    ///   - dictionary: the dictionary that the frames were made with.
    ///   - windowLimit: bytes: frames with a larger window are refused with `windowTooLarge`. Nil for
    ///     `defaultWindowLimit`, and larger windows as long as all of them in the process take at most a quarter of
    ///     the available memory.
    ///   - verifiesChecksums: whether a frame with a wrong checksum is an error.
    ///   - ranges: the ranges of the content that a run writes, in this order; nil for all of it.
    public init(
        dictionary: DecompressionDictionary? = nil, windowLimit: Int? = nil,
        verifiesChecksums: Bool = true, ranges: [ContentRange]? = nil
    ) {
        sharesWindows = windowLimit == nil
        // A patch may need a larger window for its reference, which the user has chosen.
        limits = DecodingLimits(
            windowSize: max(UInt64(clamping: windowLimit ?? Self.defaultWindowLimit), dictionary?.window ?? 0),
            dictionaryIdentifier: dictionary?.identifier)
        limits.verifiesChecksums = verifiesChecksums
        (self.dictionary, self.ranges) = (dictionary, ranges)
    }

    /// Bytes of the largest window that is always accepted: 128 MiB, as in zstd (`ZSTD_WINDOWLOG_LIMIT_DEFAULT`).
    public static let defaultWindowLimit = 1 << 27

    package var decompression: Decompression {
        get { self }
        set { self = newValue }
    }

    package var writesCutFrames: Bool { true }

    /// The content depends on the input alone.
    var recipe: String? { "content" }
    /// The memory that its frames may take.
    var room = DecodingCapacity()
    package var slotSize: Int { room.slotSize }

    /// Windows up to this size, in bytes, are never refused to save memory: every decoder must support them (RFC 8878,
    /// 3.1.1.1.2).
    private static let smallestWindow: UInt64 = 8 << 20

    package func memory(of size: RunSize) -> Int {
        room.memory(of: size, window: Int(clamping: limits.windowSize)) + (dictionary?.memory ?? 0)
    }

    package mutating func reduceMemory(by reduction: MemoryReduction) -> Bool {
        guard reduction == .windows else { return room.reduce(by: reduction) }
        guard limits.windowSize / 2 >= Self.smallestWindow else { return false }
        limits.windowSize /= 2
        sharesWindows = false
        return true
    }

    /// Accepts one frame at a time whose window is larger than the limit, up to `singleWindow` bytes.
    mutating func accept(singleWindow: UInt64) { limits.singleWindowSize = singleWindow }

    /// The largest window that it accepts, in bytes.
    var largestWindow: UInt64 { max(limits.windowSize, limits.singleWindowSize) }

    /// The limits of one run, or of another decoding that has one large window at a time.
    var ownLimits: DecodingLimits {
        var limits = limits
        if sharesWindows { limits.allowsLarger = LargeWindowBudget().reserve }
        return limits
    }

    package func run(on engine: Engine) throws(Failure) {
        if passesForeign, try isForeign(engine.reader) { return try Copying().run(on: engine) }
        try run(on: engine, from: 0)
    }

    /// Decodes everything.
    ///
    /// - Parameter offset: where the input begins in its file, for errors.
    func run(
        on engine: Engine, expecting content: ExpectedContent = .anything, from offset: UInt64 = 0
    ) throws(Failure) {
        let (limits, listed) = (ownLimits, ListedContents(engine.reader.source))
        // Elsewhere the table is far away, or large reads take long.
        let readsWholeFrames = engine.reader.source.isFile && engine.job.rateLimit == nil
        var cutter = FrameCutter(
            engine.reader, from: offset, room: chunks(on: engine), limits: limits, memberWorkers: engine.workers,
            handsOnCutFrame: engine.writesCutFrames, listed: readsWholeFrames ? listed : nil)
        try decode(&cutter, within: limits, expecting: content, on: engine, listed: listed)
    }

    /// The room for the chunks of a run.
    func chunks(on engine: Engine) -> ChunkCapacity { room.chunks(on: engine, window: limits.windowSize) }

    /// Decodes what a cutter with these limits cuts.
    ///
    /// - Parameter listed: what the file's table lists; nil to look there.
    func decode(
        _ cutter: inout some ChunkCutter, within limits: DecodingLimits, expecting content: ExpectedContent,
        on engine: Engine, listed: ListedContents? = nil
    ) throws(Failure) {
        let parallelDecoder = room.largeFrames == .onManyCores ? engine.makeParallelDecoder() : nil
        let listed = comparesTable ? listed ?? ListedContents(engine.reader.source) : nil
        defer { listed?.close() }
        try engine.run(&cutter) { [dictionary, room, zeros = engine.zeros] () throws(Failure) in
            try DecompressTransform(
                limits: limits, dictionary: dictionary, keepsWindow: room.largeFrames != .oneByOne,
                parallelDecoder: parallelDecoder,
                expecting: content, listed: listed, zeros: zeros)
        }
    }

    package var shortcut: Shortcut? { .wholeFile(self) }

    /// A file, its content of up to eight times that size, and a window of at most the content's size.
    package var wholeFileMemory: Int { Int(17 * Job.largestWholeFile) + DecodingCapacity.contextMemory }

    package func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? {
        passesForeign ? nil : try WholeFileDecompression(limits: limits, dictionary: dictionary)
    }

    private func isForeign(_ reader: InputReader) throws(Failure) -> Bool {
        let magic = try reader.peek(FrameScanner.magicSize).elements
        // Empty input is truncated, and not in another format.
        if magic.isEmpty || FrameScanner.isFrame(magic.span.bytes) { return false }
        return ForeignFormat(magic: magic)?.isRead != true
    }
}

extension Decompression {
    /// What a run does: decompress everything, or the ranges.
    package var operation: any RunOperation { ranges.map { Extraction($0, self, indexFile: indexFile) } ?? self }
}

/// Decodes everything once, to see where frames are.
struct FrameScan: DecodingOperation {
    var decompression: Decompression
    let collector: IndexCollector

    func run(on engine: Engine) throws(Failure) { try decompression.run(on: engine, expecting: .collected(collector)) }
}

/// The memory that the frames of a decompression may take, whose sizes the file determines.
struct DecodingCapacity: Sendable {
    /// How a frame that is larger than a slot is decoded. Each way takes less memory than the one before.
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

    /// The most that usual frames decompress to, in bytes. Slots become smaller than this only when no more workers can
    /// be saved.
    private static let usualFrame = 8 << 20
    private static let smallestSlot = 1 << 20
    /// More than a context takes without a window, in bytes.
    static let contextMemory = 1 << 20

    /// Decompressed bytes per slot.
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
        // Frames below 1 MiB share a chunk. Compressed, they are not larger.
        let chunk = largest + Self.smallestSlot
        // For a frame in segments a worker has a full window: each worker, or only one at a time (`oneByOne`). For a
        // frame that is held as a whole, its window has at most the frame's size.
        let windows =
            size.countsWindows && largeFrames != .oneByOne
            ? size.workers * window : size.workers * min(window, largest) + (size.countsWindows ? window : 0)
        return size.slots * 2 * slotSize + (1 + 2 * size.workers) * chunk + ChunkResult.segmentCount
            * ChunkResult.segmentSize
            + size.workers * Self.contextMemory + windows
            + (largeFrames == .onManyCores && size.workers > 1 ? StagedFrame.memory : 0)
    }

    /// - Returns: false if nothing is left to save in this way.
    mutating func reduce(by reduction: MemoryReduction) -> Bool {
        switch (reduction, largeFrames) {
        case (.largeFrames, .onManyCores): largeFrames = .asWholes
        case (.largeFrames, .asWholes): largeFrames = .inSegments
        case (.largeFrames, .inSegments): largeFrames = .oneByOne
        case (.slots, _) where slotSize > Self.usualFrame: slotSize /= 2
        case (.frames, _) where slotSize > Self.smallestSlot: slotSize /= 2
        default: return false
        }
        return true
    }

    /// The room for the chunks of a run, with one window above the limit at a time.
    func chunks(on engine: Engine, window: UInt64) -> ChunkCapacity {
        // The buffer is for more frames, not for larger ones.
        let slots = holdsLargeFrames ? engine.slots.count - engine.job.bufferSlots : 1
        let room = ChunkCapacity(
            slots: engine.slots, slotSize: UInt64(slotSize), mostHeld: UInt64(slotSize) * UInt64(slots),
            largeWindow: largeFrames == .oneByOne ? 0 : window)
        engine.latch.onFailure {
            room.windows.cancel()
            room.members.cancel()
        }
        return room
    }
}
