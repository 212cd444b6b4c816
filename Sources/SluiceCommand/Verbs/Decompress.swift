import Sluice
import SystemPackage
import ZstdCodec

/// Each compressed file becomes its content, beside it.
struct Decompress: Verb {
    let operation = Statistics.Operation.decompress

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
