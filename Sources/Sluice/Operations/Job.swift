/// One run from a source to a sink: what every operation has in common.
package struct Job: Sendable {
    /// Bytes.
    package static let defaultWindowLimit = Decompression.defaultWindowLimit
    /// Each slot of a buffer is counted by a semaphore.
    private static let mostBufferSlots = 1 << 20
    /// Bytes of the process itself: the program, its libraries and stacks.
    package static let baseMemory = 24 << 20

    var operation: any Operation
    /// Workers, at least 1.
    package var threads: Int { didSet { threads = max(1, threads) } }
    /// Slots beyond one for each worker: for the chunk that is read, and the frame that is written.
    var spareSlots = 2
    /// Bytes of input that may wait between a bursty producer and a slow consumer, beyond what the workers need.
    package var buffer: UInt64 = 0
    /// How full the slots have to be before anything is written, and again when the output has run dry; 0 to 1.
    package var fillBeforeWriting = 0.0 { didSet { fillBeforeWriting = min(max(0, fillBeforeWriting), 1) } }
    /// Who reads a file that is compressed to independent frames; Dispatch reads everything else.
    package var reading = Reading.auto
    /// Whether a large frame of a file may be decoded on several cores.
    package var splitsFrames = true
    /// How fast the input is read, at most.
    package var rateLimit: RateLimit?
    /// Ends an input that is no file; a stream that is flushed at intervals says in its header that it may end
    /// anywhere.
    package var inputEnd: InputEnd?
    /// Where writes to a file wait when its disk is full; nil if they fail then.
    package var fullDisk: FullDisk?
    /// Who is told what each stage does; nil for nobody.
    package var monitor: Monitor?
    /// Makes a hash of the content on its way.
    package var hash: HashFunction?
    /// Who gives the run its workers; nil if it has as many as it wants.
    var crew: Crew?

    /// - Parameters:
    ///   - action: what is done, such as `.compress(options)`.
    ///   - threads: workers, at least 1.
    ///   - monitor: who is told what each stage does.
    package init(_ action: Action, threads: Int = availableProcessors(), monitor: Monitor? = nil) {
        operation = action.operation
        self.threads = max(1, threads)
        self.monitor = monitor
    }

    /// Runs on the calling thread, which waits for the input, until everything is written.
    ///
    /// Best on a thread or a serial queue of the caller's own. On Dispatch's default pool, which Swift's tasks share,
    /// pipes are read and written: many runs that wait for them there would leave no thread to do it (trap 5 in
    /// docs/dispatch-on-linux.md).
    ///
    /// - Parameters:
    ///   - sink: nil to decompress, verify and write nothing.
    ///   - latch: ends the run from elsewhere, and does not fail with it: several runs, one after another or at once,
    ///     may have the same. A write that is blocked in the kernel is waited for.
    /// - Throws: the first failure. What was written until then is a prefix of the right output.
    package func run(
        from source: Source, to sink: Sink?, latch: FailureLatch = FailureLatch()
    ) throws(Failure) -> Summary {
        try latch.withChild { latch throws(Failure) in try run(source, sink, latch) }
    }

    private func run(_ source: Source, _ sink: Sink?, _ latch: FailureLatch) throws(Failure) -> Summary {
        let start = ContinuousClock.now
        let envelope = try operation.envelope(from: source, to: sink)
        let source = try operation.content(of: source)
        let reader = try ChunkReader(source, rateLimit: rateLimit, inputEnd: inputEnd, latch: latch, monitor: monitor)
        let content = try hash.map { hash throws(Failure) in ContentHash(try hash.begin()) }
        let order = FrameOrder(envelope, holdBack: HoldBack(until: holdBackLevel))
        // An operation that reads content has compared each frame that an earlier run has left.
        let options = FrameWriter.SinkOptions(
            fullDisk: fullDisk, replacesKept: operation.readsContent, mayBypassCache: operation.mayBypassCache)
        let writer = FrameWriter(
            sink, order: order, content: operation.readsContent ? nil : content, options: options, latch: latch,
            monitor: monitor)
        let engine = engine(reader, writer, operation.readsContent ? content : nil, latch)
        let outcome = Result { () throws(Failure) in try operation.run(on: engine) }
        reader.close()
        writer.close()
        var summary = Summary()
        summary.memoryBound = Self.baseMemory + hashMemory + (try outcome.get())
        if operation.readsContent {
            // Of a small content little is held, whatever there was room for.
            let most = memory(inputSize: reader.total)
            summary.memoryBound = min(summary.memoryBound, Int(clamping: most))
        }
        summary.bytesIn = reader.total
        summary.bytesOut = writer.written
        summary.contentSize = operation.decompresses ? writer.sizes.frames : writer.sizes.sources
        summary.contentHash = try content?.finish()
        summary.lost = engine.ledger.lost
        summary.duration = .now - start
        return summary
    }

    /// Slots: one for each worker, some for what is read and written meanwhile, and the buffer.
    ///
    /// At least as many as the operation needs.
    package var slotCount: Int {
        max(operation.leastSlots, workerCount + spareSlots) + bufferSlots
    }

    /// Decompressed bytes of each frame that is made; nil if the input is not cut into frames.
    package var frameSize: Int? { operation.frameSize }

    /// All that the output depends on besides the input, on one line, with frames as they fit the memory: who goes on
    /// with an output must have the same. Nil where that can't be.
    package var recipe: String? { operation.recipe }

    var bufferSlots: Int {
        let size = UInt64(operation.slotSize)
        return min(Self.mostBufferSlots, Int(clamping: buffer / size + (buffer % size > 0 ? 1 : 0)))
    }

    /// Threads that work on chunks; a single frame has libzstd's own besides.
    package var workerCount: Int { operation.workers(of: threads) }

    /// Slots in use before anything is written: one more than are full, for the reader holds one for what it waits for.
    private var holdBackLevel: Int {
        guard fillBeforeWriting > 0 else { return 0 }
        let buffer = Double(bufferSlots > 0 ? bufferSlots : slotCount - 1)
        return 1 + Int((fillBeforeWriting * buffer).rounded(.up))
    }

    private func engine(
        _ reader: ChunkReader, _ writer: FrameWriter, _ content: ContentHash?, _ latch: FailureLatch
    ) -> Engine {
        // The latch holds the slots, and the writer the latch: the slots must not hold the writer.
        let tell = { @Sendable [weak writer] change in writer?.slotsDidChange(by: change) ?? () }
        let slots = Slots(slotCount, monitor: monitor, didChange: holdBackLevel > 0 ? tell : nil)
        return Engine(
            reader: reader, writer: writer, content: content, slots: slots, bufferSlots: bufferSlots,
            workers: workerCount, threads: threads, reading: reading, splitsFrames: splitsFrames,
            holdsBack: holdBackLevel > 0, latch: latch, monitor: monitor, crew: crew)
    }
}
