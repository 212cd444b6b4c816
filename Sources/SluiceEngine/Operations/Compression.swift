internal import Dispatch
internal import Parity

/// Compresses to independent frames, on all workers. Any reader of Zstandard reads the output, and decodes each frame
/// without those before it.
///
///     let compression = Compression(level: 9)
///     try await compression.run(from: .file("a.tar"), to: .file("a.tar.zst"))
///     let frame = try compression.compress([UInt8](repeating: 0, count: 1000).span.bytes)
///
/// Empty content is not an error: it becomes an empty frame.
public struct Compression: CompressingOperation, ResumableOperation, WholeFileOperation {
    /// How the content is compressed.
    public var options: CompressionOptions { didSet { contexts = IdlePool() } }
    /// The dictionary that the frames may refer to.
    public let dictionary: CompressionDictionary?
    /// A frame ends early when its first byte is this old, for readers that follow; nil for never.
    public var flushInterval: Duration?
    /// Decompresses each frame before it is written, and throws `verification` if the result isn't the content; nil for
    /// no verification.
    public var verification: Verification? { didSet { contexts = IdlePool() } }
    /// How many frames a run makes of the content; in memory it is always one.
    public var framing = Framing.independent
    /// Parity that a run writes after the frames, in per cent of them: 1 to 50, nil for none. With it `sluice --repair`
    /// and `sluice -d --recover` repair what has rotted; other readers skip it.
    public var parity: Int?
    /// How parity is made; other sizes are for tests.
    var parityShape = ParityEncoder.Shape()
    /// Whether frames of an earlier run may be kept, after decoding them.
    package var mayResume = false
    /// The contexts of `compress`, shared by all copies of this value.
    private(set) var contexts = IdlePool<FrameMaker>()

    package var compression: Compression {
        get { self }
        set { self = newValue }
    }

    /// Frames that are cut by content have about half of the largest size.
    package var slotSize: Int { cutsByContent ? max(1, frameSize / 2) : frameSize }
    /// Chunks are whole: one is made while the other is read.
    package var leastSlots: Int { 2 }

    /// Whether frames end where the content says.
    private var cutsByContent: Bool { options.cutsByContent && framing.lineEnd == nil }

    /// Bytes of content of a frame; with lines, the multiple that frames end after.
    var frameSize: Int {
        let size = options.effectiveFrameSize
        return framing.lineEnd == nil ? size : min(size, SeekTable.maximumFrameSize / 2)
    }
    private var largestFrame: Int { framing.lineEnd == nil ? frameSize : LineCut.most(frameSize: frameSize) }

    /// Frames are not made smaller than this, in bytes, to save memory.
    private static let smallestFrame = 1 << 20
    /// The most that Dispatch reads in one region, in bytes: larger chunks are gathered besides what workers read.
    private static let largestRegion = 64 << 20

    package func memory(of size: RunSize) -> Int {
        let input = Int(clamping: size.inputSize ?? .max)
        let frame = min(largestFrame, input)
        // Content cuts make chunks of at least an eighth of a slot.
        let least = max(1, min(cutsByContent ? slotSize / 8 : slotSize, input))
        let chunks = max(1, input / least + (input % least > 0 ? 1 : 0))
        let buffers = frame > Self.largestRegion ? 2 * frame : frame
        let workers = min(size.workers, chunks)
        // A context takes over the tables of a dictionary that is larger than the frame.
        let context = contextMemory(UInt64(max(frame, dictionary?.memory ?? 0)))
        let keptFrames = mayResume ? workers * (frame + CompressionOptions.bound(frame)) : 0
        let table = input == .max ? 0 : 24 * chunks
        return min(size.slots, chunks) * (frame + CompressionOptions.bound(frame))
            + workers * (context + buffers + (verification?.memory(frame: frame) ?? 0))
            + BlockSink.memory + keptFrames + table + (dictionary?.memory ?? 0)
            + (cutsByContent ? ContentCutter.memory(chunkSize: frame, slots: size.slots) : 0)
            + (parityMemory(inputSize: size.inputSize) ?? 0)
    }

    /// Bytes of memory for parity; nil without parity.
    package func parityMemory(inputSize: UInt64?) -> Int? {
        let size = inputSize.map { CompressionOptions.bound(Int(clamping: min($0, 1 << 50))) }
        return parityShare.map { ParityEncoder.memory($0, for: size) }
    }

    var parityShare: ParityShare? { parity.map { ParityShare(percent: $0) } }

    /// The envelope, with parity if there is to be some.
    func protected(_ envelope: some TableEnvelope) -> any Envelope {
        parityShare.map { ParityEnvelope(around: envelope, $0, parityShape) } ?? envelope
    }

    package mutating func reduceMemory(by reduction: MemoryReduction) -> Bool {
        guard reduction == .frames, options.effectiveFrameSize / 2 >= Self.smallestFrame else { return false }
        options.frameSize = options.effectiveFrameSize / 2
        return true
    }

    /// A flushed stream may end anywhere, unless the source is a file, or the output gets its name only when complete.
    package func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        if flushInterval != nil, parity != nil {
            throw Failure(.parity, "parity is of a whole stream, which a flush interval does not wait for")
        }
        let isLive = flushInterval != nil && !source.isFile && sink?.isTemporary != true
        return protected(StreamEnvelope(options, mayEndAnywhere: isLive))
    }

    package func run(on engine: Engine) throws(Failure) { try run(on: engine, length: nil) }

    /// - Parameters:
    ///   - origin: bytes of the content before the input, if that is a part of it.
    ///   - length: bytes of the content; nil to the end of the input.
    ///   - cut: where frames end; nil for where the options say.
    ///   - hasCheckpoints: whether frames get checksums at checkpoints.
    func run(
        on engine: Engine, origin: UInt64 = 0, length: UInt64?, cut: (any ChunkCut)? = nil, hasCheckpoints: Bool = false
    ) throws(Failure) {
        var cutter = ContentCutter(
            engine.reader, chunkSize: largestFrame, flushInterval: flushInterval.dispatchInterval, length: length,
            cut: cut ?? ownCut(origin: origin), contentHash: engine.contentHash,
            readers: FileReaders(engine.reading, workers: engine.workers, slots: engine.slots))
        let pool = BufferPool(capacity: CompressionOptions.bound(largestFrame))
        let adaptation = engine.makeAdaptation(options)
        let progress = FrameProgress(engine.latch, engine.job.monitor)
        let makeTransform = { @Sendable () throws(Failure) -> CompressTransform in
            var transform = try CompressTransform(
                options, dictionary: dictionary, pool: pool, adaptation: adaptation, hasCheckpoints: hasCheckpoints,
                progress: progress)
            if let verification { try transform.verify(verification) }
            return transform
        }
        guard let sink = engine.resumedSink else {
            return try engine.run(&cutter, makeTransform: makeTransform)
        }
        let kept = try ResumedFrames(sink.requireDescriptor(), options)
        try engine.run(&cutter) { () throws(Failure) in
            try ResumingTransform(makeTransform(), kept, replacesOthers: sink.resumption == .ofAnySource)
        }
    }

    private func ownCut(origin: UInt64) -> (any ChunkCut)? {
        if let lineEnd = framing.lineEnd { return LineCut(frameSize: frameSize, lineEnd: lineEnd, origin: origin) }
        return cutsByContent ? HashCut(most: frameSize) : nil
    }

    var recipe: String? {
        guard dictionary == nil, !options.cutsByContent, framing.lineEnd == nil else { return nil }
        return options.recipe + (parityShare.map { " parity=\($0.percent)" } ?? "")
    }

    /// The memory of a context, in bytes. For an adaptive level, that of the highest one, and as much again for what
    /// an earlier level has left allocated.
    private func contextMemory(_ contentSize: UInt64) -> Int {
        guard let levels = options.adaptiveLevels else { return options.contextMemory(contentSize: contentSize) }
        var highest = options
        highest.level = levels.upperBound
        return 2 * highest.contextMemory(contentSize: contentSize)
    }

    package var shortcut: Shortcut? { parity == nil ? .wholeFile(self) : nil }

    package var wholeFileMemory: Int {
        let file = min(options.effectiveFrameSize, Int(Job.largestWholeFile))
        return file + CompressionOptions.bound(file) + contextMemory(UInt64(max(file, dictionary?.memory ?? 0)))
            + (verification?.memory(frame: file) ?? 0)
    }

    package func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? {
        flushInterval == nil && parity == nil
            ? try FrameMaker(options, dictionary: dictionary, verification: verification) : nil
    }
}

extension Compression {
    /// Compresses at a level, with checksums, to frames of a size that suits it.
    ///
    /// - Parameters:
    ///   - level: from -131072, the fastest, to 22, the smallest (`CompressionOptions.levels`).
    ///   - frameSize: decompressed bytes of each frame; nil for what suits the level.
    public init(level: Int = 3, frameSize: Int? = nil) {
        self.init(CompressionOptions(level: level, frameSize: frameSize))
    }

    /// Compresses with options.
    ///
    /// - Parameters:
    ///   - options: level, frames and the rest.
    ///   - dictionary: what the frames may refer to, made for the same options.
    ///   - flushInterval: a frame ends early when its first byte is this old; nil for never.
    public init(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, flushInterval: Duration? = nil
    ) {
        (self.options, self.dictionary, self.flushInterval) = (options, dictionary, flushInterval)
    }

    /// How many frames content is put into.
    ///
    ///     var compression = Compression(level: 3)
    ///     compression.framing = .lines()
    ///     try await compression.run(from: .file("events.log"), to: .file("events.log.zst"))
    public struct Framing: Equatable, Sendable {
        enum Kind: Equatable {
            case independent
            case single(contentSize: Int?)
            case lines(end: UInt8)
        }

        let kind: Kind

        /// Frames of `CompressionOptions.frameSize`, each of which is decoded without the others, and a seek table.
        public static var independent: Framing { Framing(kind: .independent) }

        /// One frame, on libzstd's own threads (`ZSTD_c_nbWorkers`), for readers that stop after the first one.
        ///
        /// - Parameter contentSize: bytes of the content, for the frame's header; nil if they are not known.
        public static func single(contentSize: Int? = nil) -> Framing {
            Framing(kind: .single(contentSize: contentSize))
        }

        /// Frames that end at line ends, so that each frame, and each of the shares that `CompressedFile.shares(_:)`
        /// makes, has whole lines: after the first line end at or after each multiple of the frame size, or of 512 MiB
        /// if that is less. A run throws `lineTooLong` for a frame of more than twice that size.
        ///
        /// `CompressionOptions.cutsByContent` has no effect then, and `flushInterval` still ends frames early.
        ///
        /// - Parameter end: the last byte of a line.
        public static func lines(end: UInt8 = UInt8(ascii: "\n")) -> Framing { Framing(kind: .lines(end: end)) }

        /// The last byte of a line, if frames have whole lines.
        var lineEnd: UInt8? { if case .lines(let end) = kind { end } else { nil } }
    }
}

extension Compression {
    /// What a run does: compress to independent frames, or to a single one if the framing says so.
    package var operation: any RunOperation {
        guard case .single(let contentSize) = framing.kind else { return self }
        return SingleFrame(
            options, dictionary: dictionary, contentSize: contentSize.map { UInt64(clamping: $0) },
            verification: verification, parity: parityShare)
    }
}
