import Sluice

/// Decompresses the intact content of damaged files (`-d --recover`).
struct Recover: Transfer {
    let activity = Decompress().activity
    let heeds: HeededOptions = [.statistics, .data, .patches, .json, .recovery, .endings]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) -> any Operation
    {
        Recovery(settings.decoding.lossFilling, settings.decompression)
    }
}
