/// A part of a compressed file: its card, and frames that begin and end as the card says.
package struct Part: Sendable {
    /// Its name in messages.
    package let name: FilePath
    /// Its state when the card was read.
    package let identity: FileIdentity
    package var share: ContentShare { card.share }
    let card: PartCard
    /// Decompressed bytes.
    package var contentSize: UInt64 { card.contentSize }

    /// Reads the card at the end of a file, and both ends of each frame.
    ///
    /// - Throws: `part` if the file is no part, or truncated; `reading`.
    package init(of source: Source, named name: FilePath) throws(Failure) {
        (self.name, identity) = (name, source.identity)
        guard let size = source.size, let card = try Self.card(of: source, size) else { throw .part(.noCard, name) }
        self.card = card
        let framesSize = size - UInt64(card.encodedSize)
        guard card.framesSize == framesSize else {
            throw .part(.otherSize(expected: card.framesSize, actual: framesSize), name)
        }
        guard card.isConsistent else { throw .part(.contradiction, name) }
        var placement = card.making.placement
        for entry in card.entries {
            _ = placement.place(UInt64(entry.compressedSize))
            let offset = placement.position - UInt64(entry.compressedSize)
            guard try Self.has(entry, at: offset, card, in: source) else {
                throw .part(.otherFrame(offset: offset), name)
            }
        }
    }

    private static func card(of source: Source, _ size: UInt64) throws(Failure) -> PartCard? {
        let footerSize = UInt64(PartCard.footerSize)
        guard source.isFile, size >= footerSize,
            let footer = try source.bytes(at: size - footerSize, count: PartCard.footerSize),
            let cardSize = footer.span.bytes.withUnsafeBytes(PartCard.encodedSize), UInt64(cardSize) <= size,
            let encoded = try source.bytes(at: size - UInt64(cardSize), count: cardSize)
        else { return nil }
        return encoded.span.bytes.withUnsafeBytes { PartCard($0) }
    }

    /// Whether the frame of an entry has the sizes and the checksum of the entry.
    private static func has(
        _ entry: SeekTable.Entry, at offset: UInt64, _ card: PartCard, in source: Source
    ) throws(Failure) -> Bool {
        guard let frame = try source.frame(of: entry, at: offset), let header = frame.header,
            header.hasChecksum == card.making.hasChecksums
        else { return false }
        guard header.hasChecksum else { return true }
        guard entry.compressedSize > 4 else { return false }
        let end = offset + UInt64(entry.compressedSize)
        return try source.bytes(at: end - 4, count: 4).map { UInt32(littleEndianBytes: $0) } == entry.checksum
    }

    /// Whether it is this share of a file in its current state.
    package func isSame(as share: ContentShare, of source: FileIdentity) -> Bool {
        self.share == share && card.origin.size == source.size
            && (card.origin.seconds, card.origin.nanoseconds) == source.modified
    }
}
