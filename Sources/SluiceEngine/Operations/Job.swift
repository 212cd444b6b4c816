internal import Parity

/// One run from a source to a sink, with the settings that all operations share.
package struct Job: Sendable {
    /// Larger files are never transformed as a whole in memory, in bytes.
    package static let largestWholeFile: UInt64 = 4 << 20
    /// The most slots of a buffer: a semaphore counts them.
    private static let mostBufferSlots = 1 << 20
    /// The most threads: as in zstd, larger numbers are reduced to this one.
    package static let mostThreads = 1024

    /// The number of threads that a number from outside stands for; nil for one on each processor that the process may
    /// use.
    package static func threads(_ number: Int?) -> Int {
        min(max(1, number ?? availableProcessors()), mostThreads)
    }

    /// Bytes of the process: the program, its libraries and stacks.
    package static let baseMemory = 24 << 20

    var operation: any RunOperation
    /// Workers, from 1 to `mostThreads`.
    package var threads: Int { didSet { threads = Self.threads(threads) } }
    /// Slots beyond one for each worker: one for the chunk that is read, one for the frame that is written.
    var spareSlots = 2
    /// Bytes of input that may wait between a bursty producer and a slow consumer, beyond what the workers need.
    package var buffer: UInt64 = 0
    /// How full the slots must be before writing starts, and again whenever they run empty; 0 to 1.
    package var fillBeforeWriting = 0.0 { didSet { fillBeforeWriting = min(max(0, fillBeforeWriting), 1) } }
    /// How a file that is compressed to independent frames is read; Dispatch reads everything else.
    package var reading = ReadingMode.auto
    /// Obstacles to a fast path that only the caller knows.
    package var saidObstacles: [Obstacle] = []
    /// Whether several cores may decode one large frame.
    package var splitsFrames = true
    package var rateLimit: RateLimit?
    /// Ends an input that is not a file.
    package var inputEnd: InputEnd?
    /// Where writes wait when the disk is full; nil if they fail.
    package var fullDisk: FullDisk?
    /// Receives each stage's spans.
    package var monitor: Monitor?
    package var hash: HashFunction?
    /// Shares its workers among runs; nil if the run starts its own.
    package var workerPool: WorkerPool?

    package init(_ operation: any RunOperation, threads: Int = availableProcessors(), monitor: Monitor? = nil) {
        self.operation = operation
        self.threads = Self.threads(threads)
        self.monitor = monitor
    }

    /// Runs on the calling thread, which waits for the input, until everything is written.
    ///
    /// Use a thread or a serial queue of your own. Dispatch's default pool, which Swift's tasks share, reads and writes
    /// pipes: many runs that wait for them there would leave no thread to do it (trap 5 in docs/dispatch-on-linux.md).
    ///
    /// - Parameters:
    ///   - sink: nil to decompress, verify and write nothing.
    ///   - latch: ends the run from elsewhere. Runs may share one: it does not fail with them. The run still waits
    ///     for a write that is blocked in the kernel.
    /// - Throws: the first failure. The output is then a prefix of the right one.
    package func run(
        from source: Source, to sink: Sink?, latch: FailureLatch = FailureLatch()
    ) throws(Failure) -> Summary {
        try latch.withChild { latch throws(Failure) in try run(source, sink, latch) }
    }

    private func run(_ source: Source, _ sink: Sink?, _ latch: FailureLatch) throws(Failure) -> Summary {
        let start = ContinuousClock.now
        var operation = operation
        var source = source
        let envelope = try operation.begin(from: &source, to: sink)
        let contentHash = try hash.map { hash throws(Failure) in ContentHash(try hash.begin()) }
        // Made last of what may fail, because its descriptor has other flags until the reader is closed.
        let reader = try InputReader(source, rateLimit: rateLimit, inputEnd: inputEnd, latch: latch, monitor: monitor)
        let order = FrameOrder(
            holdBack: HoldBack(until: holdBackLevel),
            holdsFirst: sink?.isSeen == true && envelope?.looksCompleteAfterFirst == true)
        var sink = sink
        sink?.fullDisk = fullDisk
        // An operation that reads content has compared each frame that an earlier run has left.
        let writer = FrameWriter(
            sink, order: order, envelope: envelope,
            hasBlocks: obstacle(to: .pastCache, from: source, to: sink) == nil,
            replacesOthers: operation.readsContent, latch: latch, monitor: monitor)
        if let contentHash, !operation.readsContent { writer.show(to: contentHash) }
        let tell = { @Sendable [order = writer.order] change in order.change { $0.slotsDidChange(by: change) } }
        let engine = Engine(
            job: self, reader: reader,
            reading: obstacle(to: .readingInWorkers, from: source, to: sink) == nil ? reading : .dispatch,
            writer: writer, resumedSink: sink?.resumption == nil ? nil : sink,
            contentHash: operation.readsContent ? contentHash : nil,
            slots: Slots(slotCount, monitor: monitor, didChange: holdsBack ? tell : nil), latch: latch,
            writesCutFrames: sink?.isSeen == true && operation.writesCutFrames,
            zeros: TrailingZeros(areExpected: source.ignoresZeros))
        let outcome = Result { () throws(Failure) in try operation.run(on: engine) }
        reader.close()
        writer.close()
        try outcome.get()
        var summary = Summary()
        summary.bytesIn = Int(clamping: reader.total)
        summary.bytesOut = Int(clamping: writer.count.written)
        let sizes = writer.count.sizes
        summary.contentSize = Int(clamping: operation.decompresses ? sizes.madeBytes : sizes.sourceBytes)
        summary.contentHash = try contentHash?.finish()
        summary.lost = engine.ledger.lost
        summary.repair = (operation as? Repair)?.finding
        summary.ignoredZeros = engine.zeros.unexpected
        summary.duration = .now - start
        return summary
    }

    /// One for each worker, spare ones, those of the buffer, and at least as many as the operation needs.
    package var slotCount: Int { max(operation.leastSlots, workerCount + spareSlots) + bufferSlots }

    /// Bytes of a buffer per slot.
    package var slotSize: Int { operation.slotSize }

    /// Decompressed bytes of each frame that is made; nil if the input is not cut into frames.
    package var frameSize: Int? {
        (operation as? any CompressingOperation)?.compression.options.effectiveFrameSize
    }

    /// The most bytes of memory for parity; nil without parity.
    package func parityMemory(inputSize: UInt64?) -> Int? { operation.parityMemory(inputSize: inputSize) }

    /// Everything besides the input that determines the output, on one line, with the frame size that fits the memory.
    /// An output can only be resumed with the same recipe. Nil if it can't be resumed.
    package var recipe: String? { (operation as? any ResumableOperation)?.recipe }

    var bufferSlots: Int {
        let size = UInt64(operation.slotSize)
        return min(Self.mostBufferSlots, Int(clamping: buffer / size + (buffer % size > 0 ? 1 : 0)))
    }

    /// Threads that work on chunks; libzstd has its own for a single frame.
    package var workerCount: Int { operation.workers(of: threads) }

    /// Whether output is held back until the slots are full enough.
    var holdsBack: Bool { holdBackLevel > 0 }

    /// Slots in use before anything is written: one more than are full, because the reader holds one while it waits.
    private var holdBackLevel: Int {
        guard fillBeforeWriting > 0 else { return 0 }
        let buffer = Double(bufferSlots > 0 ? bufferSlots : slotCount - 1)
        return 1 + Int(clamping: (fillBeforeWriting * buffer).rounded(.up))
    }
}

/// The result of a run.
///
///     let summary = try await Compression().run(from: .file("a.tar"), to: .file("a.tar.zst"))
///     print("\(summary.bytesIn) bytes became \(summary.bytesOut) in \(summary.duration)")
public struct Summary: Equatable, Sendable {
    /// Bytes that were read.
    public package(set) var bytesIn = 0
    /// Bytes that were written; 0 for the output `.nothing`.
    public package(set) var bytesOut = 0
    /// Decompressed bytes, read or written.
    public package(set) var contentSize = 0
    /// The time from the start to the last byte written.
    public package(set) var duration = Duration.zero
    /// The hash of the content in hexadecimal digits; nil without `RunOptions.hash`.
    public package(set) var contentHash: String?
    /// Where zeros begin that follow the data of gzip, and were ignored; nil if there were none.
    package var ignoredZeros: UInt64?
    /// What could not be recovered of a damaged file; nil for other runs, which fail instead.
    package var lost: LostContent?
    /// What was found of a file that was written as it was made; nil for other runs.
    package var repair: RepairFinding?

    /// The summary of a run that did nothing.
    package init() {}
}

extension Summary: CustomStringConvertible {
    /// Such as `5000 bytes became 40 in 0.001 seconds`, with the hash if there is one.
    public var description: String {
        let hash = contentHash.map { ", hash of the content \($0)" } ?? ""
        return "\(bytesIn) bytes became \(bytesOut) in \(duration)\(hash)"
    }
}

extension Job {
    /// Loads the library that computes parity, if it is installed.
    package static func loadParityLibrary() { _ = ParityCode.usesIsal }
}
