/// Compresses to one frame, on libzstd's own workers.
struct SingleFrame: Operation {
    var options: CompressionOptions
    /// What the frame may refer to.
    let dictionary: CompressionDictionary?
    /// Decompressed bytes for the frame's header, if they are known.
    let contentSize: UInt64?
    /// How the frame is proved; nil if it is not.
    var verification: Verification?

    var contentSide: Statistics.Activity.Content { .input }
    var slotSize: Int { SegmentCutter.segmentSize }

    /// libzstd's jobs are not made smaller than this, in bytes, to save memory.
    private static let smallestJob = 1 << 20

    func memory(of size: RunSize) -> Int {
        size.slots * slotSize + Frame.segmentCount * Frame.segmentSize + BlockSink.memory
            + options.streamMemory(
                workers: size.threads, contentSize: contentSize ?? size.inputSize, dictionary: dictionary)
            + (dictionary?.memory ?? 0) + verificationMemory(threads: size.threads, inputSize: size.inputSize)
    }

    /// A window, and the content that libzstd's workers have taken and not given out: a job for each, and two more.
    private func verificationMemory(threads: Int, inputSize: UInt64?) -> Int {
        guard let verification else { return 0 }
        let size = contentSize ?? inputSize
        let content = Int(clamping: size ?? .max)
        return min(content, (threads + 2) * options.jobSize(contentSize: size))
            + min(content, options.windowSize(contentSize: size)) + verification.memory(frame: Frame.segmentSize)
    }

    /// As the frames of a run that has many are made smaller, so are the jobs of one.
    mutating func reduceMemory(by saving: Saving) -> Bool {
        let job = options.jobSize(contentSize: contentSize)
        guard saving == .frames, job / 2 >= Self.smallestJob else { return false }
        options.parameters[.jobSize] = job / 2
        return true
    }

    /// One, which hands the segments to libzstd's workers.
    func workers(of threads: Int) -> Int { 1 }

    func run(on engine: Engine) throws(Failure) {
        var cutter = SegmentCutter(engine.reader, slots: engine.slots, content: engine.content)
        let adaptation = engine.makeAdaptation(options, isSingleFrame: true)
        try engine.run(&cutter) { [threads = engine.job.threads] () throws(Failure) -> CompressTransform in
            var transform = try CompressTransform(
                options, dictionary: dictionary, workers: threads, contentSize: contentSize, adaptation: adaptation)
            if let verification { try transform.verify(verification) }
            return transform
        }
    }
}

extension Action {
    /// Compresses to one frame, with libzstd's own workers.
    ///
    /// - Parameters:
    ///   - options: level, window and the rest.
    ///   - dictionary: what the frame may refer to.
    ///   - contentSize: decompressed bytes for the frame's header, if they are known.
    ///   - verification: ends the run with `unproven` if the frame does not decompress to its content; some of the
    ///     frame is written before.
    package static func compressToSingleFrame(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, contentSize: UInt64? = nil,
        verification: Verification? = nil
    ) -> Action {
        Action(
            operation: SingleFrame(
                options: options, dictionary: dictionary, contentSize: contentSize, verification: verification))
    }

    /// Compresses to one frame that is the difference to a reference, which is needed again to decompress it.
    ///
    /// - Throws: `codec` for `tooLargeForReference`.
    package static func compressDifference(
        to reference: any HeldMemory, _ options: CompressionOptions, contentSize: UInt64? = nil,
        isVerified: Bool = false
    ) throws(Failure) -> Action {
        var options = options
        try codec(options.reach(referenceSize: UInt64(reference.bytes.count), contentSize: contentSize))
        return compressToSingleFrame(
            options, dictionary: CompressionDictionary(reference: reference), contentSize: contentSize,
            verification: isVerified ? Verification(dictionary: DecompressionDictionary(reference: reference)) : nil)
    }
}
