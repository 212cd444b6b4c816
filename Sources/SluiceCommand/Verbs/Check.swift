import Sluice
import SystemPackage
import ZstdCodec

/// Files are decompressed and verified, and nothing is written.
struct Check: Transfer {
    let activity = Statistics.Activity("test", noun: "decompression", content: .output, hasOutput: false)
    let letter: Character? = "t"
    let help = "Decompress and verify, and write nothing."
    let heeds: HeededOptions = [.patches, .reference]

    func action(for source: Source, _ settings: Settings) throws(Failure) -> Action {
        guard let path = settings.reference else { return settings.decompression }
        return .compare(with: try ReferenceFile(at: path), settings.strictDecompression)
    }

    func wholeFileAction(_ settings: Settings) -> Action? {
        settings.reference == nil ? settings.decompression : nil
    }

    /// All of it is looked at: what is whole behind the damage, and what is not.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> Action? {
        guard failure.isOfDamage, source.isFile, source.foreignFormat == nil, settings.reference == nil else {
            return nil
        }
        return .recover(.drop, settings.strictDecompression)
    }

    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        run.windowLimitBytes = settings.windowLimit
    }
}
