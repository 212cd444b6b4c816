internal import StagedDecoding

/// What the operation of a job runs on: reader, writer, slots and workers.
package struct Engine {
    let job: Job
    let reader: InputReader
    /// How the chunks of plain content are read.
    let reading: ReadingMode
    var writer: FrameWriter
    /// The sink, if an earlier run has left unfinished output there.
    var resumedSink: Sink?
    var contentHash: ContentHash?
    let slots: Slots
    let latch: FailureLatch
    /// Whether what decodes of a frame that the end of the input cuts is written: its readers may use it, and the run
    /// fails in any case.
    let writesCutFrames: Bool
    /// Records what is lost of a damaged input.
    let ledger = LossLedger()
    let zeros: TrailingZeros

    var workers: Int { job.workerCount }

    /// Chooses the level within the bounds of the options; nil if they have none.
    ///
    /// - Parameter isSingleFrame: whether one worker hands everything to libzstd's own workers.
    func makeAdaptation(_ options: CompressionOptions, isSingleFrame: Bool = false) -> Adaptation? {
        guard let bounds = options.adaptiveLevels else { return nil }
        let adaptation = Adaptation(
            options.level, in: bounds, workers: workers, threads: isSingleFrame ? job.threads : 0,
            held: isSingleFrame ? job.threads * options.effectiveFrameSize : 0, monitor: job.monitor)
        reader.onWaiting { adaptation.inputDidChange(isWaiting: $0) }
        writer.count.onChange { adaptation.outputDidChange(isWriting: $0.isWriting) }
        return adaptation
    }

    /// What decodes large frames on several cores; nil if one core does.
    func makeParallelDecoder() -> StagedFrameThreads? {
        guard job.splitsFrames else { return nil }
        let source = reader.source
        let reread: StagedFrameThreads.Reread = { range throws(Failure) in
            let bytes = try source.bytes(at: range.lowerBound, count: range.count)
            guard let bytes else { throw .sourceShrank(expected: range.upperBound, read: range.lowerBound) }
            return bytes
        }
        let again = source.isRandomAccess ? reread : nil
        guard let workerPool = job.workerPool else {
            return StagedFrameThreads(
                inputSize: source.size, workers: workers, reread: again, latch: latch, monitor: job.monitor)
        }
        return StagedFrameThreads(
            inputSize: source.size, workers: workers, reread: again, latch: latch, monitor: job.monitor
        ) { work in
            (try? workerPool.start(isFirst: false, work)) ?? false
        }
    }

    /// Decodes everything once, to see where the frames lie, and writes nothing.
    ///
    /// - Parameter filter: sees the content.
    func scanContent(_ decompression: Decompression, through filter: (any ContentFilter)? = nil) throws(Failure)
        -> IndexCollector
    {
        let writer = FrameWriter(nil, latch: latch, monitor: nil)
        defer { writer.close() }
        if let filter { writer.pass(through: filter) }
        let collector = IndexCollector()
        var engine = self
        engine.writer = writer
        (engine.resumedSink, engine.contentHash) = (nil, nil)
        try decompression.run(on: engine, expecting: .collected(collector))
        return collector
    }

    /// Runs to the end of the input, or to the first failure.
    func run<Work: Transform & SendableMetatype & ~Copyable>(
        _ cutter: inout some ChunkCutter, makeTransform: @escaping @Sendable () throws(Failure) -> Work
    ) throws(Failure) {
        try Pipeline(
            workers: workers, slots: slots, writer: writer, latch: latch, monitor: job.monitor,
            workerPool: job.workerPool, makeTransform: makeTransform
        ).run(&cutter)
    }
}
