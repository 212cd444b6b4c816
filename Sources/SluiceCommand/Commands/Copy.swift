import Sluice

/// Copies the data unchanged.
struct Copy: Transfer {
    let activity = Statistics.Activity("copy", noun: "copying", content: .both)
    let heeds: HeededOptions = [.statistics, .data]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) -> any Operation
    {
        Copying()
    }
}
