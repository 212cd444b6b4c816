import Sluice

/// Decompresses each file into one beside it.
struct Decompress: Transfer {
    let activity = Statistics.Activity("decompress", noun: "decompression", content: .output)
    let heeds: HeededOptions = [
        .statistics, .data, .patches, .passing, .ranges, .shares, .recovery, .resuming, .members,
        .endings,
    ]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) -> any Operation
    {
        settings.decompression
    }

    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)? {
        settings.decoding.passesForeign ? nil : settings.decompression
    }
}

extension Settings {
    /// How content is decompressed, for output or a test.
    var decompression: Decompression {
        var decompression = Decompression(
            dictionary: references.decompression, windowLimit: Int(clamping: decoding.windowLimit),
            verifiesChecksums: compression.options.hasChecksum)
        decompression.passesForeign = decoding.passesForeign
        return decompression
    }
}
