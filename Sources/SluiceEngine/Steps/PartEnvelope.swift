/// The envelope of a part of a file: the trailer at its end.
struct PartEnvelope: Envelope {
    /// With the frames so far.
    private var listed: PartTrailer
    /// XXH64 of all frames in the order of the output.
    private let checksum: Locked<ContentChecksum>
    private var placement: FrameAlignment
    private let check: @Sendable () throws(Failure) -> Void

    /// - Parameters:
    ///   - trailer: one without frames.
    ///   - check: throws if the source has changed; called before the trailer is written.
    init(_ trailer: PartTrailer, check: @escaping @Sendable () throws(Failure) -> Void) throws(Failure) {
        (listed, self.check) = (trailer, check)
        placement = trailer.parameters.placement
        checksum = Locked(try codec(ContentChecksum()))
    }

    mutating func append(_ frame: ChunkResult) throws(Failure) -> [UInt8] {
        if listed.entries.count >= PartTrailer.mostFrames { throw .codec(.tooManyFrames) }
        listed.append(SeekTable.Entry(frame))
        frame.bytes.forEachRegion { region in checksum.withLock { $0.append(region) } }
        return FrameAlignment.filling(placement.place(UInt64(frame.bytes.count)))
    }

    /// The trailer, which ends at a multiple of the alignment, so that another part may follow.
    func trailer() throws(Failure) -> [UInt8] {
        try check()
        var trailer = listed
        trailer.checksum = checksum.withLock { $0.wholeValue }
        var placement = placement
        let filling = placement.placeLast(UInt64(trailer.encodedSize))
        return FrameAlignment.filling(filling) + trailer.encoded
    }
}
