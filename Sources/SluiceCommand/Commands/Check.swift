import Sluice
import SystemPackage
import ZstdCodec

/// Files are decompressed and verified, and nothing is written.
struct Check: Transfer {
    let activity = Statistics.Activity("test", noun: "decompression", content: .output, hasOutput: false)
    let heeds: HeededOptions = [.data, .patches, .reference]

    func action(for source: Source, _ settings: Settings) throws(Failure) -> Action {
        guard let path = settings.proof.reference else { return settings.decompression }
        return .compare(with: try ReferenceFile(at: path), settings.strictDecompression)
    }

    func wholeFileAction(_ settings: Settings) -> Action? {
        settings.proof.reference == nil ? settings.decompression : nil
    }

    /// All of it is looked at: what is whole behind the damage, and what is not.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> Action? {
        guard failure.isOfDamage, source.isFile, source.foreignFormat == nil, settings.proof.reference == nil else {
            return nil
        }
        return .recover(.drop, settings.strictDecompression)
    }

    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        run.windowLimitBytes = settings.decoding.windowLimit
    }
}
