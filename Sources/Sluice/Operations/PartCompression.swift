package import ZstdCodec

/// Compresses one of several parts of a file, to the frames that it has there when all of it is compressed.
struct PartCompression: Operation {
    let share: ContentShare
    var compression: Compression
    /// Told which frames of how many these are.
    let didShare: @Sendable (_ frames: Range<UInt64>, _ total: UInt64) -> Void

    var decompresses: Bool { false }
    var mayBypassCache: Bool { true }
    var slotSize: Int { compression.slotSize }
    var frameSize: Int? { compression.frameSize }
    var leastSlots: Int { compression.leastSlots }
    var readsContent: Bool { true }

    func memory(of size: RunSize) -> Int { compression.memory(of: size) }

    /// Smaller frames would be those of no other part.
    mutating func save(_ saving: Saving) -> Bool { false }

    /// What the part has of the file.
    func content(of source: Source) throws(Failure) -> Source {
        let (size, frameSize) = (try source.knownSize(), UInt64(compression.options.frameSize))
        let total = ContentShare.frameCount(of: size, frameSize: frameSize)
        let frames = share.frames(of: total)
        guard frames.count <= PartCard.mostFrames else { throw .tooManyFramesInPart(frames.count) }
        didShare(frames, total)
        return source.part(share.bytes(of: size, frameSize: frameSize))
    }

    func envelope(from source: Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        let origin = try source.origin()
        let card = PartCard(share, origin: origin, making: PartCard.Making(compression.options))
        return try PartEnvelope(card) { () throws(Failure) in
            guard let now = try? FileIdentity(source.descriptor), now.isUnchanged(since: source.identity),
                try source.origin() == origin
            else { throw .sourceChanged }
        }
    }

    func run(on engine: Engine) throws(Failure) -> Int {
        let (source, frameSize) = (engine.reader.source, UInt64(compression.options.frameSize))
        let total = ContentShare.frameCount(of: source.identity.size, frameSize: frameSize)
        // Of few frames some parts have none, and are nothing but their cards.
        if share.frames(of: total).isEmpty {
            try engine.writer.finish(0)
            return engine.writer.tableMemory
        }
        return try compression.run(on: engine, length: source.size)
    }
}

extension Action {
    /// Compresses one of several parts of a file: the frames that it has there when all of the file is compressed with
    /// these options, and a card that says of what they are a part. A `JoinWriter` makes one file of all the parts.
    ///
    /// The run fails with `sizeUnknown` if the source is no file, and with `sourceChanged` if that changed meanwhile.
    ///
    /// - Parameters:
    ///   - share: which part; which bytes those are depends on the size of the file and of a frame alone.
    ///   - options: for frames of equal size, whose level does not adapt.
    ///   - didShare: told which frames of how many they are, before anything is written.
    package static func compressPart(
        _ share: ContentShare, _ options: CompressionOptions,
        didShare: @escaping @Sendable (_ frames: Range<UInt64>, _ total: UInt64) -> Void = { _, _ in }
    ) -> Action {
        precondition(!options.cutsByContent && options.adaptiveLevels == nil, "parts are cut by one size")
        let compression = Compression(options: options, dictionary: nil, flushInterval: nil)
        return Action(operation: PartCompression(share: share, compression: compression, didShare: didShare))
    }
}
