/// The envelope of a part of a file: the card at its end.
struct PartEnvelope: Envelope {
    private var card: PartCard
    /// XXH64 of all frames in the order of the output.
    private let checksum: Locked<ContentChecksum>
    private var placement: FrameAlignment
    private let check: @Sendable () throws(Failure) -> Void

    /// - Parameters:
    ///   - card: one without frames.
    ///   - check: throws if the source has changed; called before the card is written.
    init(_ card: PartCard, check: @escaping @Sendable () throws(Failure) -> Void) throws(Failure) {
        (self.card, self.check) = (card, check)
        placement = card.making.placement
        checksum = Locked(try codec(ContentChecksum()))
    }

    mutating func append(_ frame: ChunkResult) throws(Failure) -> [UInt8] {
        if card.entries.count >= PartCard.mostFrames { throw .codec(.tooManyFrames) }
        card.append(SeekTable.Entry(frame))
        frame.bytes.forEachRegion { region in checksum.withLock { $0.append(region) } }
        return FrameAlignment.filling(placement.place(UInt64(frame.bytes.count)))
    }

    /// The card, which ends at a multiple of the alignment, so that another part may follow.
    func trailer() throws(Failure) -> [UInt8] {
        try check()
        var card = card
        card.checksum = checksum.withLock { $0.wholeValue }
        var placement = placement
        let filling = placement.placeLast(UInt64(card.encodedSize))
        return FrameAlignment.filling(filling) + card.encoded
    }
}
