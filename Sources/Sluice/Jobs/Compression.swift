internal import Dispatch
public import ZstdCodec

/// Compresses to independent frames, on all workers.
struct Compression: Operation {
    let options: CompressionOptions
    /// What the frames may refer to.
    let dictionary: CompressionDictionary?
    /// A frame ends early when its first byte is this old.
    let flushInterval: Duration?

    var decompresses: Bool { false }
    var mayBypassCache: Bool { true }
    /// Where the content says where frames end, they have about half of the largest.
    var slotSize: Int { options.cutsByContent ? max(1, options.frameSize / 2) : options.frameSize }

    /// What is flushed has no end of its own, unless it is a file, or gets its name only when it is whole.
    func envelope(from source: Source, to sink: Sink?) -> Envelope? {
        let isLive = flushInterval != nil && !source.isFile && sink?.isTemporary != true
        return Envelope(options, mayEndAnywhere: isLive)
    }

    func run(on engine: Engine) throws(Failure) -> Int {
        let (frameSize, frameBound) = (options.frameSize, CompressionOptions.bound(options.frameSize))
        let readers = FileReaders(engine.reading, workers: engine.workers, slots: engine.slots)
        let held: Int
        if options.cutsByContent {
            var cutter = RollingCutter(
                engine.reader, chunkSize: frameSize, bound: CompressionOptions.bound, readers: readers)
            held = try run(&cutter, on: engine) + RollingCutter.memory(chunkSize: frameSize, slots: engine.slots.count)
        } else {
            var cutter = ContentCutter(
                engine.reader, chunkSize: frameSize, flushInterval: flushInterval.dispatchInterval,
                bound: CompressionOptions.bound, readers: readers)
            held = try run(&cutter, on: engine)
        }
        let writer = engine.writer
        return engine.slots.count * (frameSize + frameBound) + writer.blockMemory + writer.tableMemory + held
            + (dictionary?.memory ?? 0)
    }

    /// - Returns: what the workers held, in bytes.
    private func run(_ cutter: inout some ChunkCutter, on engine: Engine) throws(Failure) -> Int {
        let pool = BufferPool(capacity: CompressionOptions.bound(options.frameSize))
        let adaptation = engine.makeAdaptation(options)
        return try engine.run(&cutter) { () throws(Failure) in
            try CompressTransform(options, dictionary: dictionary, pool: pool, adaptation: adaptation)
        }
    }

    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? {
        flushInterval == nil ? try WholeFileCompression(options, dictionary: dictionary) : nil
    }
}

extension Action {
    /// Compresses to independent frames, each of which may refer to the dictionary; `flushInterval` ends a frame early
    /// when its first byte is that old.
    public static func compress(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, flushInterval: Duration? = nil
    ) -> Action {
        Action(operation: Compression(options: options, dictionary: dictionary, flushInterval: flushInterval))
    }
}
