public import ZstdCodec

/// Compresses to one frame, on libzstd's own workers.
struct SingleFrame: Operation {
    var options: CompressionOptions
    /// What the frame may refer to.
    let dictionary: CompressionDictionary?
    /// Decompressed bytes, if they are known, for the frame's header.
    let contentSize: UInt64?

    var decompresses: Bool { false }
    var mayBypassCache: Bool { true }
    var slotSize: Int { PartCutter.partSize }
    var readsContent: Bool { true }

    /// Jobs of libzstd's are not made smaller than this, in bytes, to save memory.
    private static let smallestJob = 1 << 20

    func memory(of size: RunSize) -> Int {
        size.slots * slotSize + Pieces.count * Pieces.size + Outgoing.blockMemory
            + options.streamMemory(workers: size.threads, contentSize: contentSize ?? size.inputSize)
            + (dictionary?.memory ?? 0)
    }

    /// As the frames of a run that has many are made smaller, so are the jobs of one.
    mutating func save(_ saving: Saving) -> Bool {
        let job = options.jobSize(contentSize: contentSize)
        guard saving == .frames, job / 2 >= Self.smallestJob else { return false }
        options.parameters[.jobSize] = job / 2
        return true
    }

    /// One, which hands the parts to those of libzstd.
    func workers(of threads: Int) -> Int { 1 }

    func run(on engine: Engine) throws(Failure) -> Int {
        var cutter = PartCutter(engine.reader, slots: engine.slots, content: engine.content)
        let adaptation = engine.makeAdaptation(options, isSingleFrame: true)
        let contexts = try engine.run(&cutter) { [threads = engine.threads] () throws(Failure) in
            try CompressTransform(
                options, dictionary: dictionary, workers: threads, contentSize: contentSize, adaptation: adaptation)
        }
        return engine.slots.count * slotSize + Pieces.count * Pieces.size + engine.writer.blockMemory + contexts
            + (dictionary?.memory ?? 0)
    }
}

extension Action {
    /// Compresses to one frame, with libzstd's own workers; `contentSize` goes into its header if it is known.
    public static func compressToSingleFrame(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, contentSize: UInt64? = nil
    ) -> Action {
        Action(operation: SingleFrame(options: options, dictionary: dictionary, contentSize: contentSize))
    }

    /// Compresses to one frame that is the difference to a reference, which is needed again to decompress it.
    ///
    /// - Throws: `codec` for `tooLargeForReference`.
    public static func compressDifference(
        to reference: any HeldMemory, _ options: CompressionOptions, contentSize: UInt64? = nil
    ) throws(Failure) -> Action {
        var options = options
        let referenceSize = UInt64(reference.bytes.count)
        try codec { () throws(CodecFailure) in
            try options.reach(referenceSize: referenceSize, contentSize: contentSize)
        }
        let dictionary = CompressionDictionary(reference: reference)
        return compressToSingleFrame(options, dictionary: dictionary, contentSize: contentSize)
    }
}
