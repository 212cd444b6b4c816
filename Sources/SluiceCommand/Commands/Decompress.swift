import Sluice

/// Decompresses each file into one beside it.
struct Decompress: Transfer {
    let activity = Statistics.Activity("decompress", noun: "decompression", content: .output)
    let heeds: HeededOptions = [.data, .patches, .passing, .ranges, .shares, .recovery, .resuming, .members]

    func outputName(of path: FilePath) -> FilePath? { FileName.decompressed(path) }

    func action(for source: Source, _ settings: Settings) -> Action { settings.decompression }

    func wholeFileAction(_ settings: Settings) -> Action? {
        settings.decoding.passesForeign ? nil : settings.decompression
    }
}

extension Settings {
    /// The action of decompression, for output or a test.
    var decompression: Action {
        .decompress(
            windowLimit: decoding.windowLimit, dictionary: references.decompression,
            passesForeign: decoding.passesForeign, verifiesChecksums: compression.options.hasChecksum)
    }

    /// Refuses input in an unknown format.
    var strictDecompression: Decompression {
        Decompression(
            windowLimit: decoding.windowLimit, dictionary: references.decompression,
            verifiesChecksums: compression.options.hasChecksum)
    }
}
