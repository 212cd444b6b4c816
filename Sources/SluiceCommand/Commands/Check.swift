import Sluice

/// Decompresses and verifies files, and writes nothing.
struct Check: Transfer {
    let activity = Statistics.Activity("test", noun: "decompression", content: .output, hasOutput: false)
    let heeds: HeededOptions = [.statistics, .data, .patches, .reference, .endings]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any Operation
    {
        guard let path = settings.verification.reference else { return settings.decompression }
        return Comparison(with: try ReferenceFile(at: path), settings.decompression)
    }

    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)? {
        settings.verification.reference == nil ? settings.decompression : nil
    }

    /// Inspects the whole file, beyond the first damage.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> (any Operation)? {
        guard failure.isOfDamage, source.isFile, source.foreignFormat == nil, settings.verification.reference == nil
        else { return nil }
        return Recovery(.drop, settings.decompression)
    }
}
