import Sluice

/// Decompresses the intact content of damaged files (`-d --recover`).
struct Recover: Transfer {
    let activity = Decompress().activity
    let heeds: HeededOptions = [.statistics, .data, .patches, .json, .recovery, .endings]

    func action(for input: borrowing Input, _ settings: Settings, _ console: Console) -> Action {
        .recover(settings.decoding.lossFilling, settings.decompression)
    }
}
