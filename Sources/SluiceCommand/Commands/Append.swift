import Sluice

/// Compresses files and appends the frames to an existing file.
struct Append: Transfer {
    let activity = Statistics.Activity("append", noun: "compression", content: .input)
    let heeds: HeededOptions = [.statistics, .data, .frames, .parameters, .growing, .verification]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) -> any Operation
    {
        let frames = settings.frameCompression()
        return settings.references.growing?.adding(frames) ?? frames
    }
}
