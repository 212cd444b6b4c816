/// Compresses one of several parts of a file, to the frames that the whole file would have there with these options,
/// and a card that identifies the part. A `JoinWriter` makes one file of all the parts.
///
/// The run fails with `sizeUnknown` if the source is no file, and with `sourceChanged` if it changes meanwhile.
package struct PartCompression: CompressingOperation {
    private let share: ContentShare
    package var compression: Compression
    private let didShare: @Sendable (_ frames: Range<UInt64>, _ total: UInt64) -> Void

    /// - Parameters:
    ///   - share: which part; its bytes depend on the size of the file and of a frame alone.
    ///   - options: for frames of equal size, whose level does not adapt.
    ///   - didShare: receives the numbers of the part's frames, and of all frames, before anything is written.
    package init(
        _ share: ContentShare, _ options: CompressionOptions,
        didShare: @escaping @Sendable (_ frames: Range<UInt64>, _ total: UInt64) -> Void = { _, _ in }
    ) {
        precondition(!options.cutsByContent && options.adaptiveLevels == nil, "parts are cut by one size")
        self.share = share
        self.didShare = didShare
        compression = Compression(options)
    }

    // Memory is not saved: smaller frames would belong to no other part.
    package mutating func reduceMemory(by saving: Saving) -> Bool { false }

    package func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        let (file, origin) = (source, try source.origin())
        let (size, frameSize) = (try file.knownSize(), UInt64(compression.options.effectiveFrameSize))
        let total = ContentShare.frameCount(of: size, frameSize: frameSize)
        let frames = share.range(of: total)
        guard frames.count <= PartCard.mostFrames else { throw .tooManyFramesInPart(frames.count) }
        didShare(frames, total)
        source = file.subrange(share.bytes(of: size, frameSize: frameSize))
        let card = PartCard(share, origin: origin, making: PartCard.Making(compression.options))
        return try PartEnvelope(card) { () throws(Failure) in
            try file.checkUnchanged()
            guard try file.origin() == origin else { throw .sourceChanged }
        }
    }

    package func run(on engine: Engine) throws(Failure) {
        let (source, frameSize) = (engine.reader.source, UInt64(compression.options.effectiveFrameSize))
        let total = ContentShare.frameCount(of: source.identity.size, frameSize: frameSize)
        // With few frames some parts have none, and consist of a card alone.
        if share.range(of: total).isEmpty {
            return try engine.writer.finish(0)
        }
        try compression.run(on: engine, length: source.size)
    }
}

extension Source {
    /// - Throws: `sourceChanged` if the file has another size or time than when it was opened.
    func checkUnchanged() throws(Failure) {
        guard let now = try? FileIdentity(descriptor), now.isUnchanged(since: identity) else { throw .sourceChanged }
    }
}
