internal import ZstdCodec

/// All the parts of a file, in their order: together they are the file that one run would have made, which a
/// `JoinWriter` writes.
///
/// No frame is decoded or compressed again: what is between the ends of a frame passes unseen, and its checksum tells
/// whoever decompresses it whether it is what it was.
package struct PartSet: Sendable {
    /// In the order of what they hold.
    package let parts: [Part]
    /// How all of them are made.
    let making: PartCard.Making

    /// - Parameter parts: in any order, at least one.
    /// - Throws: `part` or `missingParts` if they are not all the parts of one file, made in one way;
    ///   `codec(.tooManyFrames)`.
    package init(_ parts: [Part]) throws(Failure) {
        guard let first = parts.first else { throw .missingParts([1], of: 1) }
        var present: [ContentShare: Part] = [:]
        for part in parts {
            if let difference = part.card.difference(from: first.card) {
                throw .part(.unlike(first.name, difference), part.name)
            }
            if let other = present.updateValue(part, forKey: part.share) {
                throw .part(.double(part.share, other.name), part.name)
            }
        }
        let missing = (1...first.share.count).filter { number in
            ContentShare(number, of: first.share.count).map { present[$0] == nil } ?? true
        }
        if !missing.isEmpty { throw .missingParts(missing, of: first.share.count) }
        making = first.card.making
        self.parts = parts.sorted { $0.share.number < $1.share.number }
        // The header has an entry too.
        if parts.reduce(1, { $0 + $1.card.entries.count }) > SeekTable.maximumCount { throw .codec(.tooManyFrames) }
    }
}

extension PartCard {
    /// In what it differs from the card of another part, with which it can't be joined; nil if it can.
    fileprivate func difference(from other: PartCard) -> PartFlaw.Difference? {
        if share.count != other.share.count { return .count }
        if origin != other.origin { return .source }
        if making.level != other.making.level { return .level }
        if making.frameSize != other.making.frameSize { return .frameSize }
        let (ours, others) = (making, other.making)
        guard ours.hasChecksums == others.hasChecksums, ours.settings == others.settings,
            ours.alignment == others.alignment
        else { return .options }
        return making.library == other.making.library ? nil : .library
    }
}
