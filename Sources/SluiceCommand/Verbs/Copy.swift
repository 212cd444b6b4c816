import Sluice

/// The data passes as it is.
struct Copy: Transfer {
    let activity = Statistics.Activity("copy", noun: "copying", content: .both)
    let help = "Pass the data on as it is, to standard output or -o FILE."
    let heeds: HeededOptions = []

    func action(for source: Source, _ settings: Settings) -> Action { .copy }
}
