public import ZstdCodec

/// Compresses to one frame, on libzstd's own workers.
struct SingleFrame: Operation {
    var options: CompressionOptions
    /// What the frame may refer to.
    let dictionary: CompressionDictionary?
    /// Decompressed bytes, if they are known, for the frame's header.
    let contentSize: UInt64?
    /// How the frame is proved; nil if it is not.
    var verification: Verification?

    var decompresses: Bool { false }
    var mayBypassCache: Bool { true }
    var slotSize: Int { SegmentCutter.segmentSize }
    var readsContent: Bool { true }

    /// Jobs of libzstd's are not made smaller than this, in bytes, to save memory.
    private static let smallestJob = 1 << 20

    func memory(of size: RunSize) -> Int {
        size.slots * slotSize + Frame.segmentCount * Frame.segmentSize + Outgoing.blockMemory
            + options.streamMemory(workers: size.threads, contentSize: contentSize ?? size.inputSize)
            + (dictionary?.memory ?? 0) + verificationMemory(threads: size.threads, inputSize: size.inputSize)
    }

    /// A window, and the content that libzstd's workers have taken and not given out: a job for each, and two more.
    private func verificationMemory(threads: Int, inputSize: UInt64?) -> Int {
        guard let verification else { return 0 }
        let content = Int(clamping: contentSize ?? inputSize ?? .max)
        let jobs = (threads + 2) * options.jobSize(contentSize: contentSize ?? inputSize)
        let window = options.windowSize(contentSize: contentSize ?? inputSize)
        return min(content, jobs) + min(content, window) + verification.memory(frame: Frame.segmentSize)
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
        var cutter = SegmentCutter(engine.reader, slots: engine.slots, content: engine.content)
        let adaptation = engine.makeAdaptation(options, isSingleFrame: true)
        let makeTransform = { @Sendable [threads = engine.threads] () throws(Failure) in
            try CompressTransform(
                options, dictionary: dictionary, workers: threads, contentSize: contentSize, adaptation: adaptation)
        }
        let contexts: Int
        if let verification {
            contexts = try engine.run(&cutter) { () throws(Failure) in
                try VerifyingTransform(try makeTransform(), verification)
            }
        } else {
            contexts = try engine.run(&cutter, makeTransform: makeTransform)
        }
        return engine.slots.count * slotSize + Frame.segmentCount * Frame.segmentSize + engine.writer.blockMemory
            + contexts
            + (dictionary?.memory ?? 0)
    }
}

extension Action {
    /// Compresses to one frame, with libzstd's own workers; `contentSize` goes into its header if it is known, and with
    /// `verification` a frame that does not give its content back ends the run with `unproven`, after some of it was
    /// written.
    public static func compressToSingleFrame(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, contentSize: UInt64? = nil,
        verification: Verification? = nil
    ) -> Action {
        Action(
            operation: SingleFrame(
                options: options, dictionary: dictionary, contentSize: contentSize, verification: verification))
    }

    /// Compresses to one frame that is the difference to a reference, which is needed again to decompress it, and
    /// perhaps to verify it.
    ///
    /// - Throws: `codec` for `tooLargeForReference`.
    package static func compressDifference(
        to reference: any HeldMemory, _ options: CompressionOptions, contentSize: UInt64? = nil,
        isVerified: Bool = false
    ) throws(Failure) -> Action {
        var options = options
        let referenceSize = UInt64(reference.bytes.count)
        try codec { () throws(CodecFailure) in
            try options.reach(referenceSize: referenceSize, contentSize: contentSize)
        }
        let dictionary = CompressionDictionary(reference: reference)
        let verification = isVerified ? Verification(dictionary: DecompressionDictionary(reference: reference)) : nil
        return compressToSingleFrame(
            options, dictionary: dictionary, contentSize: contentSize, verification: verification)
    }
}
