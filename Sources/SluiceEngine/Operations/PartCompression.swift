/// Compresses one of several parts of a file, to the frames that the whole file would have there with these options,
/// and a trailer that identifies the part. A `JoinWriter` makes one file of all the parts.
///
/// The run fails with `sizeUnknown` if the source is not a file, and with `sourceChanged` if it changes during the run.
package struct PartCompression: CompressingOperation {
    private let share: PartNumber
    package var compression: Compression
    private let didShare: @Sendable (_ frames: Range<UInt64>, _ total: UInt64) -> Void

    /// - Parameters:
    ///   - share: which part; its bytes depend only on the size of the file and of a frame.
    ///   - compression: to frames of equal size, or of whole lines, at a level that does not adapt.
    ///   - didShare: receives the numbers of the part's frames, and of all frames, before anything is written.
    package init(
        _ share: PartNumber, _ compression: Compression,
        didShare: @escaping @Sendable (_ frames: Range<UInt64>, _ total: UInt64) -> Void = { _, _ in }
    ) {
        let options = compression.options
        precondition(!options.cutsByContent && options.adaptiveLevels == nil, "parts are cut by one size")
        self.share = share
        self.didShare = didShare
        self.compression = compression
    }

    // Memory is not saved: smaller frames would not match those of the other parts.
    package mutating func reduceMemory(by reduction: MemoryReduction) -> Bool { false }

    package func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        let (file, origin) = (source, try source.origin())
        let (size, frameSize) = (try file.knownSize(), UInt64(compression.frameSize))
        let total = PartNumber.frameCount(of: size, frameSize: frameSize)
        let frames = share.range(of: total)
        guard frames.count <= PartTrailer.mostFrames else { throw .tooManyFramesInPart(frames.count) }
        didShare(frames, total)
        source = file.subrange(try lineRange(in: file, share.bytes(of: size, frameSize: frameSize)))
        let parameters = PartTrailer.Parameters(
            compression.options, frameSize: compression.frameSize, lineEnd: compression.framing.lineEnd)
        let trailer = PartTrailer(share, origin: origin, parameters: parameters)
        return try PartEnvelope(trailer) { () throws(Failure) in
            try file.checkUnchanged()
            guard try file.origin() == origin else { throw .sourceChanged }
        }
    }

    /// The share, from line end to line end if frames have whole lines.
    private func lineRange(in file: Source, _ share: Range<UInt64>) throws(Failure) -> Range<UInt64> {
        guard let lineEnd = compression.framing.lineEnd else { return share }
        let end = { [frameSize = compression.frameSize] (multiple: UInt64) throws(Failure) in
            try LineCut.end(atOrAfter: multiple, of: file, frameSize: frameSize, lineEnd: lineEnd)
        }
        return try end(share.lowerBound)..<end(share.upperBound)
    }

    package func run(on engine: Engine) throws(Failure) {
        let source = engine.reader.source
        let total = PartNumber.frameCount(of: source.identity.size, frameSize: UInt64(compression.frameSize))
        // With few frames, or long lines, some parts have none, and consist only of a trailer.
        if share.range(of: total).isEmpty || source.size == 0 && source.identity.size > 0 {
            return try engine.writer.finish(0)
        }
        try compression.run(on: engine, origin: source.start, length: source.size)
    }
}

extension Source {
    /// Bytes at the start and at the end of the file that identify it.
    private static let sampleSize: UInt64 = 64 << 10

    /// Identifies the file for its parts.
    ///
    /// Reads only the ends of the content. Any other change shows in the time of modification.
    ///
    /// - Throws: `reading`, `sourceShrank`, `sizeUnknown`.
    func origin() throws(Failure) -> PartTrailer.Origin {
        let size = try knownSize()
        let count = min(size, Self.sampleSize)
        let checksums = (first: try checksum(at: 0, count), last: try checksum(at: size - count, count))
        let (seconds, nanoseconds) = identity.modified
        return PartTrailer.Origin(size: size, seconds: seconds, nanoseconds: nanoseconds, checksums: checksums)
    }

    private func checksum(at offset: UInt64, _ count: UInt64) throws(Failure) -> UInt32 {
        guard let sample = try bytes(at: offset, count: Int(count)) else {
            throw .sourceShrank(expected: size ?? 0, read: offset)
        }
        return contentChecksum(sample[...])
    }

    /// - Throws: `sourceChanged` if the file has another size or time than when it was opened.
    func checkUnchanged() throws(Failure) {
        // A source that is not a file notices a change by itself.
        if ranges != nil { return }
        guard let now = currentIdentity, now.isUnchanged(since: identity) else { throw .sourceChanged }
    }
}
