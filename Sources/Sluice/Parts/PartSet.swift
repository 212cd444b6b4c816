/// All parts of a file, which a `JoinWriter` makes into the file that one run would have made.
///
/// No frame is decoded or compressed again: the inside of a frame is not examined, but protected by its checksum.
package struct PartSet: Sendable {
    /// In order.
    package let parts: [Part]
    /// The options that all of them were made with.
    let making: PartCard.Making

    /// - Parameter parts: in any order, at least one.
    /// - Throws: `part` or `missingParts` if they are not all parts of one file, made in one way;
    ///   `codec(.tooManyFrames)`.
    package init(_ parts: [Part]) throws(Failure) {
        guard let first = parts.first else { throw .missingParts([1], of: 1) }
        var present: [Int: Part] = [:]
        for part in parts {
            if let difference = part.card.difference(from: first.card) {
                throw .part(.unlike(first.name, difference), part.name)
            }
            if let other = present.updateValue(part, forKey: part.share.number) {
                throw .part(.double(part.share, other.name), part.name)
            }
        }
        let missing = (1...first.share.count).filter { present[$0] == nil }
        if !missing.isEmpty { throw .missingParts(missing, of: first.share.count) }
        making = first.card.making
        // Parts that begin and end between lines have no size of their own.
        guard parts.reduce(0, { $0.addingClamped($1.contentSize) }) == first.card.origin.size else {
            throw .part(.contradiction, first.name)
        }
        self.parts = parts.sorted { $0.share.number < $1.share.number }
        // The header has an entry too.
        if parts.reduce(1, { $0 + $1.card.entries.count }) > SeekTable.maximumCount { throw .codec(.tooManyFrames) }
    }
}

extension PartCard {
    /// Why it can't be joined with the part of another card; nil if it can.
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
