import Sluice

/// Decompresses each file into one beside it.
struct Decompress: Transfer {
    let activity = Statistics.Activity("decompress", noun: "decompression", content: .output)
    let heeds: HeededOptions = [
        .statistics, .data, .patches, .passing, .ranges, .shares, .recovery, .resuming, .members,
        .endings,
    ]

    func action(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) -> Action {
        .decompress(settings.decompression)
    }

    func wholeFileAction(_ settings: Settings) -> Action? {
        settings.decoding.passesForeign ? nil : .decompress(settings.decompression)
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
