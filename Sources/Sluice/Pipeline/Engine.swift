internal import ZstdCodec

/// What an operation runs on: the ends of a run, its slots and its workers.
struct Engine {
    let reader: ChunkReader
    let writer: FrameWriter
    /// Takes the content that is read; nil if nobody wants it.
    let content: ContentHash?
    let slots: Slots
    /// Slots of those that are for a buffer.
    let bufferSlots: Int
    let workers: Int
    /// Threads that the run may use, beside those that wait.
    let threads: Int
    /// Who reads a file.
    let reading: Reading
    /// Whether a large frame of a file may be decoded on several cores.
    let splitsFrames: Bool
    /// Whether output is held back until the slots are full enough.
    let holdsBack: Bool
    let latch: FailureLatch
    let monitor: Monitor?
    /// Who gives the run its workers; nil if it has as many as it wants.
    let crew: Crew?
    /// Keeps what is lost of a damaged input.
    let ledger = LossLedger()

    /// What chooses the level between the bounds of the options, and is told of the ends of this run; nil if they have
    /// none.
    ///
    /// - Parameter isSingleFrame: whether one worker hands everything on to libzstd's own.
    func makeAdaptation(_ options: CompressionOptions, isSingleFrame: Bool = false) -> Adaptation? {
        guard let bounds = options.adaptiveLevels else { return nil }
        let adaptation = Adaptation(
            options.level, in: bounds, workers: workers, threads: isSingleFrame ? threads : 0,
            held: isSingleFrame ? threads * options.frameSize : 0, monitor: monitor)
        reader.onWaiting { adaptation.inputDidChange(isWaiting: $0) }
        writer.onWriting { adaptation.outputDidChange(isWriting: $0) }
        return adaptation
    }

    /// What decodes large frames on several cores; nil if nothing does.
    func makeStages() -> Stages? {
        // Workers of a crew may be left behind in a frame, with a descriptor that is another file's then.
        splitsFrames && crew == nil ? Stages(reader.source, workers: workers) : nil
    }

    /// Runs to the end of the input, or to the first failure.
    ///
    /// - Returns: the bytes that all the workers held between chunks.
    func run<Work: Transform & SendableMetatype & ~Copyable>(
        _ cutter: inout some ChunkCutter, makeTransform: @escaping @Sendable () throws(Failure) -> Work
    ) throws(Failure) -> Int {
        let pipeline = Pipeline(
            workers: workers, slots: slots, writer: writer, latch: latch, monitor: monitor, crew: crew,
            makeTransform: makeTransform)
        return try pipeline.run(&cutter)
    }
}
