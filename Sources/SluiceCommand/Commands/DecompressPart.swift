import SluiceEngine

/// Decompresses one of several parts of a file's content (`-d --part`).
struct DecompressPart: Transfer {
    let assigned: AssignedPart
    var part: PartNumber? { assigned.part }

    let activity = Decompress().activity
    let optionGroups: OptionGroups = [.statistics, .data, .parts]

    /// Pads the numbers to one length, so that `cat FILE.*-of-N` joins the parts.
    func outputName(of path: FilePath) -> FilePath? {
        let whole = FileName.decompressed(path)
        let name = whole?.lastComponent?.between("", and: ".\(assigned.part.name)")
        return name.flatMap { whole?.parent.appending($0) }
    }

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        ShareExtraction(
            assigned.part, headerLines: settings.decoding.headerLines, settings.decompression,
            didFind: { [self, reporting = settings.reporting] content in
                let place = content.bytes(of: assigned.part)
                if reporting.verbosity > 0 {
                    let which = place.isEmpty ? "nothing" : "bytes \(place.lowerBound) to \(place.upperBound)"
                    console.write("\(assigned): \(which) of \(content.size)\n")
                }
                if place.isEmpty, reporting.quietness == 0 { console.notice(emptiness(of: content)) }
            })
    }

    /// Why the part has no content, and what would give it some.
    private func emptiness(of content: ContentShares) -> String {
        let filled = content.filledShares(of: assigned.part.count)
        let sentence = "\(assigned): no content, as only \(filled) of \(assigned.part.count) have some"
        let share = content.size / UInt64(assigned.part.count)
        // The smallest frames that -B makes.
        guard share >= 1024 else { return sentence }
        let size = ByteCount.format(UInt64(1) << (UInt64.bitWidth - 1 - share.leadingZeroBitCount))
        return sentence + ": frames of \(size) would give each some"
    }
}
