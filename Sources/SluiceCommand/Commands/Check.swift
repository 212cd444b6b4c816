import Sluice

/// Decompresses and verifies files, and writes nothing.
struct Check: Transfer {
    let activity = Statistics.Activity("test", noun: "decompression", content: .output, hasOutput: false)
    let heeds: HeededOptions = [.statistics, .data, .patches, .reference, .endings]

    func action(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> Action
    {
        guard let path = settings.verification.reference else { return .decompress(settings.decompression) }
        return .compare(with: try ReferenceFile(at: path), settings.decompression)
    }

    func wholeFileAction(_ settings: Settings) -> Action? {
        settings.verification.reference == nil ? .decompress(settings.decompression) : nil
    }

    /// Inspects the whole file, beyond the first damage.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> Action? {
        guard failure.isOfDamage, source.isFile, source.foreignFormat == nil, settings.verification.reference == nil
        else { return nil }
        return .recover(.drop, settings.decompression)
    }
}
