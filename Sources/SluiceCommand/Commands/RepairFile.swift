import SluiceEngine

/// Writes files with parity as they were made (`--repair`).
struct RepairFile: Transfer {
    let activity = Activity("repair", noun: "repair", content: .output)
    let optionGroups: OptionGroups = [.statistics, .data]
    var replacesInput: Bool { true }
    var repairs: Bool { true }

    func outputName(of path: FilePath) -> FilePath? { FileName.repaired(path) }

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any RunOperation
    {
        try Repair(of: source)
    }
}
