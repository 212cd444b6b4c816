package import Parity

/// Compresses to one frame, on libzstd's own workers.
package struct SingleFrame: RunOperation {
    private var options: CompressionOptions
    private let dictionary: CompressionDictionary?
    private let contentSize: UInt64?
    private let verification: Verification?
    private let parity: ParityShare?

    /// - Parameters:
    ///   - options: level, window and the rest.
    ///   - dictionary: what the frame may refer to.
    ///   - contentSize: decompressed bytes for the frame's header, if they are known.
    ///   - verification: ends the run with `unproven` if the frame does not decompress to its content; some of the
    ///     frame is written before.
    ///   - parity: is written after the frame, and held until then.
    package init(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, contentSize: UInt64? = nil,
        verification: Verification? = nil, parity: ParityShare? = nil
    ) {
        self.options = options
        self.dictionary = dictionary
        self.contentSize = contentSize
        self.verification = verification
        self.parity = parity
    }

    /// Compresses to the difference to a reference, which is needed again to decompress it.
    ///
    /// - Throws: `codec` for `tooLargeForReference`.
    package init(
        differenceTo reference: any HeldMemory, _ options: CompressionOptions, contentSize: UInt64? = nil,
        isVerified: Bool = false, parity: Int? = nil
    ) throws(Failure) {
        var options = options
        try codec(options.reach(referenceSize: UInt64(reference.bytes.count), contentSize: contentSize))
        self.init(
            options, dictionary: CompressionDictionary(reference: reference), contentSize: contentSize,
            verification: isVerified ? Verification(dictionary: DecompressionDictionary(reference: reference)) : nil,
            parity: parity.map { ParityShare(percent: $0) })
    }

    package var contentSide: Activity.Content { .input }
    package var slotSize: Int { SegmentCutter.segmentSize }

    /// libzstd's jobs are not made smaller than this, in bytes, to save memory.
    private static let smallestJob = 1 << 20

    package func memory(of size: RunSize) -> Int {
        let buffers = size.slots * slotSize + ChunkResult.segmentCount * ChunkResult.segmentSize + BlockSink.memory
        let parity = parityMemory(inputSize: size.inputSize) ?? 0
        return buffers + parity
            + options.streamMemory(
                workers: size.threads, contentSize: contentSize ?? size.inputSize, dictionary: dictionary)
            + (dictionary?.memory ?? 0) + verificationMemory(threads: size.threads, inputSize: size.inputSize)
    }

    /// Bytes of memory for parity; nil without parity. That of a frame that is larger than a set is held until the
    /// frame ends; how much that is can't be told of an input without a size.
    package func parityMemory(inputSize: UInt64?) -> Int? {
        let size = (contentSize ?? inputSize).map { CompressionOptions.bound(Int(clamping: min($0, 1 << 50))) }
        return parity.map { ParityEncoder.memory($0, for: size) + (size ?? 0) / 100 * $0.percent }
    }

    package func begin(from source: inout Source, to sink: Sink?) -> (any Envelope)? {
        parity.map { ParityEnvelope(around: nil, $0) }
    }

    /// A window, and the content that libzstd's workers have taken and not given out: a job for each, and two more.
    private func verificationMemory(threads: Int, inputSize: UInt64?) -> Int {
        guard let verification else { return 0 }
        let size = contentSize ?? inputSize
        let content = Int(clamping: size ?? .max)
        return min(content, (threads + 2) * options.jobSize(contentSize: size))
            + min(content, options.windowSize(contentSize: size)) + verification.memory(frame: ChunkResult.segmentSize)
    }

    /// Makes libzstd's jobs smaller, as other runs do with their frames.
    package mutating func reduceMemory(by reduction: MemoryReduction) -> Bool {
        let job = options.jobSize(contentSize: contentSize)
        guard reduction == .frames, job / 2 >= Self.smallestJob else { return false }
        options.parameters[.jobSize] = job / 2
        return true
    }

    /// One worker, which hands the segments to libzstd's.
    package func workers(of threads: Int) -> Int { 1 }

    package func run(on engine: Engine) throws(Failure) {
        // The frame's header announces the size that the file had: what a log gains meanwhile is left.
        var cutter = SegmentCutter(
            engine.reader, slots: engine.slots, contentHash: engine.contentHash, length: engine.reader.source.size)
        let adaptation = engine.makeAdaptation(options, isSingleFrame: true)
        try engine.run(&cutter) { [threads = engine.job.threads] () throws(Failure) -> CompressTransform in
            var transform = try CompressTransform(
                options, dictionary: dictionary, workers: threads > 1 ? startableThreads(threads) : threads,
                contentSize: contentSize, adaptation: adaptation)
            if let verification { try transform.verify(verification) }
            return transform
        }
    }
}
