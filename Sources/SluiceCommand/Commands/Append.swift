import Sluice

/// Compresses files and appends the frames to an existing file.
struct Append: Transfer {
    let activity = Statistics.Activity("append", noun: "compression", content: .input)
    let heeds: HeededOptions = [.data, .frames, .parameters, .growing, .verification]

    func action(for source: Source, _ settings: Settings, _ console: Console) throws(Failure) -> Action {
        guard let file = settings.references.growing else {
            return try Compress().action(for: source, settings, console)
        }
        return file.adding(settings.frameCompression())
    }
}
