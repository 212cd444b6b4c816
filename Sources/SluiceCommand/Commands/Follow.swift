import SluiceEngine

/// Decompresses a file that is still being written (`-d --follow`).
struct Follow: Transfer {
    let activity = Decompress().activity
    let optionGroups: OptionGroups = [.statistics, .data, .patches, .ranges, .records, .following]

    /// What `FileRun.follow` does in place of this.
    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        settings.decompression
    }
}
