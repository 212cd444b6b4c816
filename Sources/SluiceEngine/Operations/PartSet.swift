/// All parts of a file, which a `JoinWriter` makes into the file that one run would have made.
///
/// No frame is decoded or compressed again: the inside of a frame is not examined, but protected by its checksum.
package struct PartSet: Sendable {
    /// In order.
    package let parts: [Part]
    /// The options that all of them were made with.
    let parameters: PartTrailer.Parameters

    /// - Parameter parts: in any order, at least one.
    /// - Throws: `part` or `missingParts` if they are not all parts of one file, made in one way;
    ///   `codec(.tooManyFrames)`.
    package init(_ parts: [Part]) throws(Failure) {
        guard let first = parts.first else { throw .missingParts([1], of: 1) }
        var present: [Int: Part] = [:]
        for part in parts {
            if let difference = part.trailer.difference(from: first.trailer) {
                throw .part(.unlike(first.name, difference), part.name)
            }
            if let other = present.updateValue(part, forKey: part.share.number) {
                throw .part(.double(part.share, other.name), part.name)
            }
        }
        let missing = (1...first.share.count).filter { present[$0] == nil }
        if !missing.isEmpty { throw .missingParts(missing, of: first.share.count) }
        parameters = first.trailer.parameters
        // If parts begin and end between lines, only the sum of their sizes is known.
        guard parts.reduce(0, { $0.addingClamped($1.contentSize) }) == first.trailer.origin.size else {
            throw .part(.contradiction, first.name)
        }
        self.parts = parts.sorted { $0.share.number < $1.share.number }
        // The header has an entry too.
        if parts.reduce(1, { $0 + $1.trailer.entries.count }) > SeekTable.maximumCount { throw .codec(.tooManyFrames) }
    }
}

extension PartTrailer {
    /// Why it can't be joined with the part of another trailer; nil if it can.
    fileprivate func difference(from other: PartTrailer) -> PartFlaw.Difference? {
        if share.count != other.share.count { return .count }
        if origin != other.origin { return .source }
        let (ours, others) = (parameters, other.parameters)
        if ours.level != others.level { return .level }
        if ours.frameSize != others.frameSize { return .frameSize }
        guard ours.hasChecksums == others.hasChecksums, ours.settings == others.settings,
            ours.alignment == others.alignment
        else { return .options }
        return ours.library == others.library ? nil : .library
    }
}

/// A part of a compressed file: its trailer, and frames that begin and end as the trailer says.
package struct Part: Sendable {
    /// Its name in messages.
    package let name: FilePath
    /// Its state when the trailer was read.
    package let identity: FileIdentity
    package var share: PartNumber { trailer.share }
    let trailer: PartTrailer
    /// Decompressed bytes.
    package var contentSize: UInt64 { trailer.contentSize }

    /// Reads the trailer at the end of a file, and both ends of each frame.
    ///
    /// - Throws: `part` if the file is not a part, or is truncated; `reading`.
    package init(of source: Source, named name: FilePath) throws(Failure) {
        (self.name, identity) = (name, source.identity)
        guard let size = source.size, let trailer = try Self.trailer(of: source, size) else {
            throw .part(.noTrailer, name)
        }
        self.trailer = trailer
        let framesSize = size - UInt64(trailer.encodedSize)
        guard trailer.framesSize == framesSize else {
            throw .part(.otherSize(expected: trailer.framesSize, actual: framesSize), name)
        }
        guard trailer.isConsistent else { throw .part(.contradiction, name) }
        var placement = trailer.parameters.placement
        for entry in trailer.entries {
            _ = placement.place(UInt64(entry.compressedSize))
            let offset = placement.position - UInt64(entry.compressedSize)
            guard try Self.has(entry, at: offset, trailer, in: source) else {
                throw .part(.otherFrame(offset: offset), name)
            }
        }
    }

    private static func trailer(of source: Source, _ size: UInt64) throws(Failure) -> PartTrailer? {
        let footerSize = UInt64(PartTrailer.footerSize)
        guard source.isFile, size >= footerSize,
            let footer = try source.bytes(at: size - footerSize, count: PartTrailer.footerSize),
            let trailerSize = PartTrailer.encodedSize(footer: footer.span.bytes), UInt64(trailerSize) <= size,
            let encoded = try source.bytes(at: size - UInt64(trailerSize), count: trailerSize)
        else { return nil }
        return PartTrailer(encoded.span.bytes)
    }

    /// Whether the frame of an entry has the sizes and the checksum of the entry.
    private static func has(
        _ entry: SeekTable.Entry, at offset: UInt64, _ trailer: PartTrailer, in source: Source
    ) throws(Failure) -> Bool {
        guard let frame = try CompressedInput(source).frame(of: entry, at: offset), let header = frame.header,
            header.hasChecksum == trailer.parameters.hasChecksums
        else { return false }
        guard header.hasChecksum else { return true }
        guard entry.compressedSize > 4 else { return false }
        let end = offset + UInt64(entry.compressedSize)
        return try source.bytes(at: end - 4, count: 4).map { UInt32(littleEndianBytes: $0) } == entry.checksum
    }

    /// Whether it is this share of a file in its current state.
    package func isSame(as share: PartNumber, of source: FileIdentity) -> Bool {
        self.share == share && trailer.origin.size == source.size
            && (trailer.origin.seconds, trailer.origin.nanoseconds) == source.modified
    }
}
