import Sluice

/// Decompresses one of several parts of a file's content (`-d --part`), into its place in an output file.
struct DecompressPart: Transfer {
    let assigned: AssignedShare
    var share: ContentShare? { assigned.share }

    let activity = Decompress().activity
    let heeds: HeededOptions = [.statistics, .data, .shares]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any Operation
    {
        decompression(of: try SharedContent(of: source), settings, console)
    }

    func operation(on content: SharedContent, _ settings: Settings, _ console: Console) -> (any Operation)? {
        decompression(of: content, settings, console)
    }

    private func decompression(of content: SharedContent, _ settings: Settings, _ console: Console) -> any Operation {
        if settings.reporting.verbosity > 0 {
            let place = content.place(of: assigned.share)
            let which = place.isEmpty ? "nothing" : "bytes \(place.lowerBound) to \(place.upperBound)"
            console.write("\(assigned): \(which) of \(content.size)\n")
        }
        return Extraction(assigned.share, of: content, settings.decompression)
    }
}
