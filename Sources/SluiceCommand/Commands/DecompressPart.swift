import Sluice

/// Decompresses one of several parts of a file's content (`-d --part`).
struct DecompressPart: Transfer {
    let assigned: AssignedPart
    var part: PartNumber? { assigned.part }

    let activity = Decompress().activity
    let heeds: HeededOptions = [.statistics, .data, .parts]

    /// Pads the numbers to one length, so that `cat FILE.*-of-N` joins the parts.
    func outputName(of path: FilePath) -> FilePath? {
        let whole = FileName.decompressed(path)
        let name = whole?.lastComponent?.between("", and: ".\(assigned.part.name)")
        return name.flatMap { whole?.parent.appending($0) }
    }

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any RunOperation
    {
        let content = try ContentShares(of: source, verifiesChecksums: settings.compression.options.hasChecksum)
        if settings.reporting.verbosity > 0 {
            let place = content.bytes(of: assigned.part)
            let which = place.isEmpty ? "nothing" : "bytes \(place.lowerBound) to \(place.upperBound)"
            console.write("\(assigned): \(which) of \(content.size)\n")
        }
        return Extraction(assigned.part, of: content, settings.decompression)
    }
}
