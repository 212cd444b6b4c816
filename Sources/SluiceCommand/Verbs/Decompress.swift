import Sluice
import SystemPackage
import ZstdCodec

/// Each compressed file becomes its content, beside it.
struct Decompress: Transfer {
    let activity = Statistics.Activity("decompress", noun: "decompression", content: .output)
    let letter: Character? = "d"
    let help = "Decompress; gzip, xz, lzma and lz4 too."
    let heeds: HeededOptions = [.patches, .passing, .parts, .shares, .recovery, .resuming]

    func outputName(of path: FilePath) -> FilePath? { FileName.decompressed(path) }

    func action(for source: Source, _ settings: Settings) -> Action { settings.decompression }

    func wholeFileAction(_ settings: Settings) -> Action? { settings.passesForeign ? nil : settings.decompression }

    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        run.windowLimitBytes = settings.windowLimit
    }
}

extension Settings {
    /// How what is compressed becomes its content, whether that is written or only tested.
    var decompression: Action {
        .decompress(
            windowLimit: windowLimit, dictionary: references.decompression, passesForeign: passesForeign,
            verifiesChecksums: compression.hasChecksum)
    }

    /// Refuses input in an unknown format.
    var strictDecompression: Decompression {
        Decompression(
            windowLimit: windowLimit, dictionary: references.decompression, verifiesChecksums: compression.hasChecksum)
    }
}
