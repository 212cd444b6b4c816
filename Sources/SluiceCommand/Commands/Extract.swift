import Sluice

/// Decompresses ranges of a file's content.
struct Extract: Transfer {
    let activity = Decompress().activity
    let heeds = Decompress().heeds.subtracting([.resuming, .shares])

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) -> any Operation
    {
        Extraction(
            settings.decoding.ranges, settings.decompression, indexFile: settings.indexFile,
            didFind: { [verbosity = settings.reporting.verbosity] finding in
                if finding == .headersAgainstTable {
                    console.warn(
                        "\(name.printable): the seek table contradicts the frames: they are found by their headers")
                } else if verbosity > 0 {
                    console.write("\(finding.sentence)\n")
                }
            })
    }
}

extension Settings {
    /// The index to read or to write, if one is named.
    var indexFile: IndexFile? { decoding.indexFile.map { IndexFile(at: $0, isReplacing: isForced) } }
}

extension FrameFinding {
    /// The message with -v.
    var sentence: String {
        switch self {
        case .seekTable: "frames found by the seek table"
        case .headers, .headersAgainstTable: "frames found from header to header"
        case .indexFile: "frames found by the index"
        case .survey: "frames found by decoding everything once"
        case .none: "decoding from the start: content before the range is dropped"
        }
    }
}
