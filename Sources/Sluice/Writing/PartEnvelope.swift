internal import ZstdCodec

/// What a part of a file has besides its frames: the card at its end, which says of what it is a part.
struct PartEnvelope: Envelope {
    private var card: PartCard
    private let checksum: FramesChecksum
    private var placement: FrameAlignment
    private let check: @Sendable () throws(Failure) -> Void

    /// - Parameters:
    ///   - card: one without frames.
    ///   - check: asked before it is written, whether the file is still what the card says.
    init(_ card: PartCard, check: @escaping @Sendable () throws(Failure) -> Void) throws(Failure) {
        (self.card, self.check) = (card, check)
        placement = card.placement
        checksum = try FramesChecksum()
    }

    mutating func append(_ frame: Frame) -> [UInt8] {
        card.append(SeekTable.Entry(frame))
        checksum.append(frame.bytes)
        return FrameAlignment.filling(placement.place(UInt64(frame.bytes.count)))
    }

    var isFull: Bool { card.entries.count >= PartCard.mostFrames }

    /// Bytes that the card takes, and once more when it is written, with what fills the room before it.
    var memory: Int { 3 * card.encodedSize + 2 * Int(card.making.alignment) }

    /// The card, which ends where a part of an aligned file may follow another.
    ///
    /// - Throws: what `check` does.
    func trailer() throws(Failure) -> [UInt8] {
        try check()
        var card = card
        card.checksum = checksum.value
        var placement = placement
        let filling = placement.placeLast(UInt64(card.encodedSize))
        return FrameAlignment.filling(filling) + card.encoded
    }
}
