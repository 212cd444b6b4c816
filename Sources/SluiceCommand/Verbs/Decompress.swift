import Sluice
import SystemPackage
import ZstdCodec

/// Each compressed file becomes its content, beside it.
struct Decompress: Transfer {
    let activity = Statistics.Activity("decompress", noun: "decompression", content: .output)
    let letter: Character? = "d"
    let help = "Decompress; gzip, xz, lzma and lz4 too."
    let heeds: HeededOptions = [.patches, .passing]

    func outputName(of path: FilePath) -> FilePath? { FileName.decompressed(path) }

    func action(for source: Source, _ settings: Settings) -> Action {
        .decompress(
            windowLimit: settings.windowLimit, dictionary: settings.references.decompression,
            passesForeign: settings.passesForeign, verifiesChecksums: settings.compression.hasChecksum)
    }

    func wholeFileAction(_ settings: Settings) -> Action? {
        settings.passesForeign
            ? nil
            : .decompress(
                windowLimit: settings.windowLimit, dictionary: settings.references.decompression,
                verifiesChecksums: settings.compression.hasChecksum)
    }

    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        run.windowLimitBytes = settings.windowLimit
    }
}
