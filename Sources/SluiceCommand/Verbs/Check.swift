import Sluice
import SystemPackage
import ZstdCodec

/// Files are decompressed and verified, and nothing is written.
struct Check: Transfer {
    let activity = Statistics.Activity("test", noun: "decompression", content: .output, hasOutput: false)
    let letter: Character? = "t"
    let help = "Decompress and verify, and write nothing."
    let heeds: HeededOptions = .patches

    func action(for source: Source, _ settings: Settings) -> Action { settings.decompression }

    func wholeFileAction(_ settings: Settings) -> Action? { settings.decompression }

    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        run.windowLimitBytes = settings.windowLimit
    }
}
