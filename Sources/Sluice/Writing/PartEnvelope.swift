internal import ZstdCodec

/// What a part of a file has besides its frames: the card at its end, which says of what it is a part.
struct PartEnvelope: Envelope {
    private var card: PartCard
    private let checksum: FramesChecksum
    private let check: @Sendable () throws(Failure) -> Void

    /// - Parameters:
    ///   - card: one without frames.
    ///   - check: asked before it is written, whether the file is still what the card says.
    init(_ card: PartCard, check: @escaping @Sendable () throws(Failure) -> Void) throws(Failure) {
        (self.card, self.check) = (card, check)
        checksum = try FramesChecksum()
    }

    mutating func append(_ frame: Frame) -> [UInt8] {
        card.append(SeekTable.Entry(frame))
        checksum.append(frame.bytes)
        return []
    }

    var isFull: Bool { card.entries.count >= PartCard.mostFrames }

    /// Bytes that the card takes, and once more when it is written.
    var memory: Int { 2 * card.encodedSize }

    /// The card.
    ///
    /// - Throws: what `check` does.
    func trailer() throws(Failure) -> [UInt8] {
        try check()
        var card = card
        card.checksum = checksum.value
        return card.encoded
    }
}
