internal import Dispatch
internal import ForeignCodec
internal import SystemPackage
public import ZstdCodec

/// One run from a source to a sink: compress, decompress or copy.
public struct Job: Sendable {
    /// What is done with the data.
    public enum Action: Sendable {
        /// Compresses to independent frames; `flushInterval` ends a frame early when its first byte is that old.
        case compress(CompressionOptions, flushInterval: Duration? = nil)
        /// Compresses to one frame, with libzstd's own workers; `contentSize` goes into its header if it is known.
        case compressToSingleFrame(CompressionOptions, contentSize: UInt64? = nil)
        /// Decompresses frames, and the other formats that are read; those with a larger window, in bytes, are refused.
        /// What is in no format that is read may pass as it is.
        case decompress(windowLimit: UInt64 = Job.defaultWindowLimit, passesForeign: Bool = false)
        /// Passes the data on as it is.
        case copy
    }

    /// 128 MiB, as for zstd: `ZSTD_WINDOWLOG_LIMIT_DEFAULT`.
    public static let defaultWindowLimit: UInt64 = 1 << 27
    /// Bytes of a chunk that is copied.
    private static let copySize = 1 << 20
    /// Each slot of a buffer is counted by a semaphore.
    private static let mostBufferSlots = 1 << 20
    /// Bytes of the process itself: the program, its libraries and stacks.
    private static let baseMemory = 24 << 20

    public var action: Action
    /// Workers, at least 1.
    public var threads: Int
    /// Slots beyond one for each worker: for the chunk that is read, and the frame that is written.
    var spareSlots = 2
    /// Bytes of input that may wait between a bursty producer and a slow consumer, beyond what the workers need.
    public var buffer: UInt64 = 0
    /// How full the slots have to be before anything is written, and again when the output has run dry; 0 to 1.
    public var fillBeforeWriting = 0.0
    /// Who reads a file that is compressed to independent frames; Dispatch reads everything else.
    public var reading = Reading.auto
    /// How fast the input is read, at most.
    public var rateLimit: RateLimit?
    /// Ends an input that is no file; a stream that is flushed at intervals says in its header that it may end anywhere.
    public var inputEnd: InputEnd?
    public var monitor: Monitor?

    public init(_ action: Action, threads: Int = availableProcessors(), monitor: Monitor? = nil) {
        self.action = action
        self.threads = max(1, threads)
        self.monitor = monitor
    }

    /// Runs on the calling thread, which waits for the input, until everything is written.
    ///
    /// - Parameters:
    ///   - sink: nil to decompress, verify and write nothing.
    ///   - latch: ends the run from elsewhere. A write that is blocked in the kernel is waited for all the same.
    /// - Throws: the first failure. What was written until then is a prefix of the right output.
    public func run(from source: Source, to sink: Sink?, latch: FailureLatch = FailureLatch()) throws(Failure)
        -> Summary
    {
        let start = ContinuousClock.now
        let reader = try ChunkReader(source, rateLimit: rateLimit, inputEnd: inputEnd, latch: latch, monitor: monitor)
        let writer = FrameWriter(
            sink, envelope: envelope(for: source), holdBack: HoldBack(until: holdBackLevel),
            mayBypassCache: mayBypassCache,
            latch: latch, monitor: monitor)
        let outcome = Result { () throws(Failure) in
            try run(reader, writer, latch)
        }
        reader.close()
        writer.close()
        var summary = Summary()
        summary.memoryBound = Self.baseMemory + (try outcome.get())
        summary.bytesIn = reader.total
        summary.bytesOut = writer.written
        summary.contentSize = isDecompressing ? writer.sizes.frames : writer.sizes.sources
        summary.duration = .now - start
        return summary
    }

    /// Slots: one for each worker, some for what is read and written meanwhile, and the buffer.
    ///
    /// At least three: while a frame comes in parts it holds one, the part that is read another, and the reader a third.
    public var slotCount: Int {
        max(3, workerCount + spareSlots) + bufferSlots
    }

    private var bufferSlots: Int {
        min(Self.mostBufferSlots, Int(clamping: buffer / UInt64(chunkSize) + (buffer % UInt64(chunkSize) > 0 ? 1 : 0)))
    }

    /// Decompressed bytes of a chunk.
    private var chunkSize: Int {
        switch action {
        case .compress(let options, _): options.frameSize
        case .compressToSingleFrame, .copy: Self.copySize
        // Their size is the file's; this is what a slot bounds.
        case .decompress: Int(FrameCutter.slotSize)
        }
    }

    /// Threads that work on chunks; a single frame has libzstd's own besides.
    public var workerCount: Int {
        switch action {
        case .compress, .decompress: threads
        case .compressToSingleFrame, .copy: 1
        }
    }

    /// Slots in use before anything is written: one more than are full, for the reader holds one for what it waits for.
    private var holdBackLevel: Int {
        guard fillBeforeWriting > 0 else { return 0 }
        let buffer = Double(bufferSlots > 0 ? bufferSlots : slotCount - 1)
        return 1 + Int((min(1, fillBeforeWriting) * buffer).rounded(.up))
    }

    private var isDecompressing: Bool { if case .decompress = action { true } else { false } }

    /// What was compressed is seldom what is read next.
    private var mayBypassCache: Bool {
        switch action {
        case .compress, .compressToSingleFrame: true
        case .decompress, .copy: false
        }
    }

    private func envelope(for source: Source) -> Envelope? {
        guard case .compress(let options, let flushInterval) = action else { return nil }
        return Envelope(options, mayEndAnywhere: flushInterval != nil && !source.isFile)
    }

    /// Runs, and returns what slots and workers could hold at most, in bytes.
    private func run(_ reader: ChunkReader, _ writer: FrameWriter, _ latch: FailureLatch) throws(Failure) -> Int {
        // The latch holds the slots, and the writer the latch: the slots must not hold the writer.
        let tell = { @Sendable [weak writer] change in writer?.slotsDidChange(by: change) ?? () }
        let slots = Slots(slotCount, monitor: monitor, didChange: holdBackLevel > 0 ? tell : nil)
        switch action {
        case .compress(let options, let flushInterval):
            var cutter = ContentCutter(
                reader, chunkSize: options.frameSize, flushInterval: flushInterval.dispatchInterval,
                bound: CompressionOptions.bound,
                readers: FileReaders(reading, workers: workerCount, slots: slots))
            let pool = BufferPool(capacity: CompressionOptions.bound(chunkSize))
            let contexts = try run(&cutter, slots, writer, latch) { () throws(Failure) in
                try CompressTransform(options, pool: pool)
            }
            let slotMemory = slotCount * (chunkSize + CompressionOptions.bound(chunkSize))
            return slotMemory + writer.blockMemory + writer.tableMemory + contexts
        case .compressToSingleFrame(let options, let contentSize):
            var cutter = PartCutter(reader, slots: slots)
            let contexts = try run(&cutter, slots, writer, latch) { [threads] () throws(Failure) in
                try CompressTransform(options, workers: threads, contentSize: contentSize)
            }
            return slotCount * chunkSize + Pieces.count * Pieces.size + writer.blockMemory + contexts
        case .decompress(let windowLimit, let passesForeign):
            if passesForeign, try isForeign(reader) { return try copy(reader, slots, writer, latch) }
            // A buffer is for many frames, not for larger ones.
            let limits = (FrameCutter.slotSize, FrameCutter.slotSize * UInt64(slotCount - bufferSlots))
            let frames = FrameCutter(reader, slots: slots, windowLimit: windowLimit, frameLimits: limits)
            var cutter = FormatCutter(frames, reader, slots: slots)
            let contexts = try run(&cutter, slots, writer, latch) { () throws(Failure) in
                try DecompressTransform(windowLimit: windowLimit)
            }
            // Beyond the slots, the cutter holds what it has not handed on, and each worker may hold a frame whose slot
            // has already gone to the next one.
            let parts = cutter.firstPart > 0 ? cutter.firstPart + Pieces.count * Pieces.size : 0
            let held = (1 + workerCount) * max(cutter.largestChunk, FrameCutter.partSize)
            return slotCount * max(cutter.largest, FrameCutter.partSize) + held + parts + contexts
        case .copy:
            return try copy(reader, slots, writer, latch)
        }
    }

    private func copy(
        _ reader: ChunkReader, _ slots: Slots, _ writer: FrameWriter, _ latch: FailureLatch
    ) throws(Failure) -> Int {
        // What trickles in is passed on a tenth of a second later at most, unless it is to be held back.
        let flushInterval = fillBeforeWriting > 0 ? DispatchTimeInterval.never : .milliseconds(100)
        var cutter = ContentCutter(
            reader, chunkSize: Self.copySize, flushInterval: flushInterval, bound: { @Sendable count in count },
            readers: FileReaders(.dispatch, workers: workerCount, slots: slots))
        _ = try run(&cutter, slots, writer, latch) { () throws(Failure) in CopyTransform() }
        return slotCount * Self.copySize
    }

    private func isForeign(_ reader: ChunkReader) throws(Failure) -> Bool {
        let magic = try reader.peek(FrameScanner.magicSize).elements
        return !magic.withUnsafeBytes(FrameScanner.isFrame) && ForeignFormat(magic: magic)?.isRead != true
    }

    private func run<Work: Transform & SendableMetatype & ~Copyable>(
        _ cutter: inout some ChunkCutter, _ slots: Slots, _ writer: FrameWriter, _ latch: FailureLatch,
        makeTransform: @escaping @Sendable () throws(Failure) -> Work
    ) throws(Failure) -> Int {
        let pipeline = Pipeline(
            workers: workerCount, slots: slots, writer: writer, latch: latch, monitor: monitor,
            makeTransform: makeTransform)
        return try pipeline.run(&cutter)
    }
}
