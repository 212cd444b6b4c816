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
        /// Decompresses; frames with a larger window, in bytes, are refused.
        case decompress(windowLimit: UInt64 = Job.defaultWindowLimit)
    }

    /// 128 MiB, as for zstd: `ZSTD_WINDOWLOG_LIMIT_DEFAULT`.
    public static let defaultWindowLimit: UInt64 = 1 << 27
    /// A frame that decompresses to more than this many bytes is not held as a whole.
    private static let frameLimit: UInt64 = 1 << 27

    public var action: Action
    /// Workers, at least 1.
    public var threads: Int
    /// Slots beyond one for each worker: one being read, one being written, one waiting on either side.
    public var spareSlots = 2
    public var observer: SpanObserver?

    public init(_ action: Action, threads: Int = availableProcessors(), observer: SpanObserver? = nil) {
        self.action = action
        self.threads = max(1, threads)
        self.observer = observer
    }

    /// Runs on the calling thread, which waits for the input, until everything is written.
    ///
    /// - Parameters:
    ///   - sink: nil to decompress, verify and write nothing.
    ///   - latch: ends the run from elsewhere. A write that is blocked in the kernel is waited for all the same.
    /// - Throws: the first failure. What was written until then is a prefix of the right output.
    public func run(from source: Source, to sink: Sink?, latch: FailureLatch = FailureLatch()) throws(Failure) -> Summary {
        let start = ContinuousClock.now
        let reader = ChunkReader(source.descriptor, isFile: source.isFile, latch: latch, observer: observer)
        let writer = FrameWriter(sink, envelope: envelope, latch: latch, observer: observer)
        let outcome = Result { () throws(Failure) in
            try run(reader, writer, latch)
            if let size = source.size, reader.total < size {
                throw .sourceShrank(expected: size, read: reader.total)
            }
        }
        reader.close()
        writer.close()
        try outcome.get()
        var summary = Summary()
        summary.bytesIn = reader.total
        summary.bytesOut = writer.written
        summary.contentSize = writer.contentSize
        summary.duration = .now - start
        return summary
    }

    /// At least three: while a frame comes in parts it holds one, the part that is read another, and the reader a third.
    private var slotCount: Int { max(3, threads + spareSlots) }

    private var envelope: Envelope? {
        if case .compress(let options, _) = action { Envelope(options) } else { nil }
    }

    private func run(_ reader: ChunkReader, _ writer: FrameWriter, _ latch: FailureLatch) throws(Failure) {
        let slots = Slots(slotCount)
        switch action {
        case .compress(let options, let flushInterval):
            var cutter = ContentCutter(
                reader, chunkSize: options.frameSize, flushInterval: flushInterval.dispatchInterval,
                bound: CompressionOptions.bound)
            try run(&cutter, slots, writer, latch) { () throws(Failure) in try CompressTransform(options) }
        case .compressToSingleFrame(let options, let contentSize):
            var cutter = PartCutter(reader, slots: slots)
            try run(&cutter, slots, writer, latch) { [threads] () throws(Failure) in
                try CompressTransform(options, workers: threads, contentSize: contentSize)
            }
        case .decompress(let windowLimit):
            var cutter = FrameCutter(reader, slots: slots, windowLimit: windowLimit, frameLimit: Self.frameLimit)
            try run(&cutter, slots, writer, latch) { () throws(Failure) in try DecompressTransform() }
        }
    }

    private func run<Work: Transform & SendableMetatype & ~Copyable>(
        _ cutter: inout some ChunkCutter, _ slots: Slots, _ writer: FrameWriter, _ latch: FailureLatch,
        makeTransform: @escaping @Sendable () throws(Failure) -> Work
    ) throws(Failure) {
        let pipeline = Pipeline(
            workers: threads, slots: slots, writer: writer, latch: latch, observer: observer,
            makeTransform: makeTransform)
        try pipeline.run(&cutter)
    }
}
