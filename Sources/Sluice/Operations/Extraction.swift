internal import ForeignCodec
public import ZstdCodec

/// Decompresses parts of a content: of a file only the frames that hold them, where these can be found; else everything
/// up to the last byte that is needed.
struct Extraction: DecodingOperation {
    let ranges: [ContentRange]
    let decompression: Decompression
    /// Where an index is kept of a file whose frames can't be found without one.
    let indexFile: IndexFile?
    /// Told how the frames were found.
    let didFind: @Sendable (FrameFinding) -> Void

    func run(on engine: Engine) throws(Failure) -> Int {
        let source = engine.reader.source
        var memory = 0
        var found: (index: FrameIndex, finding: FrameFinding)?
        // A size of 0 says nothing, of the files in /proc.
        let hasFrames = source.isFile && source.size != nil && source.foreignFormat == nil
        if hasFrames { found = try find(source) }
        if found == nil, indexFile != nil || ranges.ascending == nil {
            guard hasFrames else {
                throw try engine.reader.peek(1).isEmpty ? .codec(.empty) : .onlyForward(isFile: source.isFile)
            }
            found = (try survey(on: engine, &memory), .survey)
        }
        didFind(found?.finding ?? .none)
        if let found {
            memory = max(memory, try run(on: engine, found.index))
        } else {
            memory = try runFromStart(on: engine)
        }
        if engine.writer.sizes.frames == 0, !ranges.allSatisfy(\.isEmpty) {
            throw .nothingThere(contentSize: found?.index.contentSize ?? engine.writer.excerptPosition)
        }
        return memory
    }

    private func find(_ source: Source) throws(Failure) -> (index: FrameIndex, finding: FrameFinding)? {
        if let found = try FrameSearch(source: source).index(reaching: ranges.end, for: ranges) { return found }
        return try indexFile?.read(for: source).map { ($0, .indexFile) }
    }

    /// Decodes everything once, and keeps where the frames lie.
    private func survey(on engine: Engine, _ memory: inout Int) throws(Failure) -> FrameIndex {
        let (source, survey) = (engine.reader.source, Survey())
        let writer = FrameWriter(nil, order: FrameOrder(), latch: engine.latch, monitor: nil)
        defer { writer.close() }
        let surveying = Engine(
            reader: engine.reader, writer: writer, content: nil, slots: engine.slots, bufferSlots: engine.bufferSlots,
            workers: engine.workers, threads: engine.threads, reading: engine.reading,
            splitsFrames: engine.splitsFrames, holdsBack: false, latch: engine.latch, monitor: engine.monitor,
            crew: engine.crew)
        memory = try Surveying(survey: survey, decompression: decompression).run(on: surveying)
        guard let size = source.size, let index = survey.index(to: size) else { throw .onlyForward(isFile: true) }
        try indexFile?.write(index, of: source)
        return index
    }

    /// Decodes the frames that are needed.
    func run(on engine: Engine, _ index: FrameIndex) throws(Failure) -> Int {
        let excerpt = Excerpt(ranges.map { $0.resolved(in: index.contentSize) }, index: index)
        let writer = engine.writer
        writer.keep(only: excerpt) {}
        let most = FrameCutter.slotSize * UInt64(engine.slots.count - engine.bufferSlots)
        let (limits, dictionary) = (decompression.limits, decompression.dictionary)
        let stages = decompression.makeStages(on: engine)
        var cutter = ExtractionCutter(
            engine.reader, index, excerpt, slots: engine.slots, limits: limits, mostHeld: most)
        cutter.isOver = { [weak writer] in writer?.isComplete ?? true }
        let contexts = try engine.run(&cutter) { () throws(Failure) in
            try IndexedTransform(index, limits: limits, dictionary: dictionary, stages: stages)
        }
        return decompression.memory(cutter.memory, contexts, on: engine) + index.memory
    }

    /// Decodes everything up to the last byte that is needed.
    private func runFromStart(on engine: Engine) throws(Failure) -> Int {
        let reader = engine.reader
        let excerpt = Excerpt(ranges.ascending ?? [])
        // Whoever would go on, or waits for what does not come, is told that nothing more is needed.
        engine.writer.keep(only: excerpt) { [weak reader] in reader?.end() }
        return excerpt.isComplete ? 0 : try decompression.run(on: engine)
    }
}

extension Action {
    /// Decompresses parts of a content, joined in the order in which they are given.
    ///
    /// Of a file only the frames that hold them are read, and found by its seek table, from header to header, or by an
    /// index. Where frames do not say how much they hold, and of what is no file, everything is decoded up to the last
    /// byte that is needed, and the rest is not read. What lies behind the end is left out; a run that finds none of
    /// the bytes fails with `nothingThere`.
    ///
    /// - Parameters:
    ///   - ranges: those that are counted from the end, or go back, take a file of frames: `onlyForward`.
    ///   - windowLimit: bytes; frames with a larger window are refused.
    ///   - dictionary: what the frames were made with.
    ///   - passesForeign: whether what is not compressed is its own content.
    ///   - verifiesChecksums: whether a frame whose checksum is not its content's is an error.
    ///   - indexFile: an index that is read, or made by decoding everything once, if the frames can't be found without
    ///     it.
    ///   - didFind: told how the frames were found, before anything is written.
    public static func extract(
        _ ranges: [ContentRange], windowLimit: UInt64 = Decompression.defaultWindowLimit,
        dictionary: DecompressionDictionary? = nil, passesForeign: Bool = false, verifiesChecksums: Bool = true,
        indexFile: IndexFile? = nil, didFind: @escaping @Sendable (FrameFinding) -> Void = { _ in }
    ) -> Action {
        let decompression = Decompression(
            windowLimit: windowLimit, dictionary: dictionary, passesForeign: passesForeign,
            verifiesChecksums: verifiesChecksums)
        return Action(
            operation: Extraction(
                ranges: ranges, decompression: decompression, indexFile: indexFile, didFind: didFind))
    }
}
