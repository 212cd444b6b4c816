import Sluice

extension OutputFile.Losses {
    /// Warns of what a file lacks, if anything is lost.
    func warn(about path: FilePath, on console: Console) {
        let names: [(OutputFile.Losses, String)] = [
            (.owner, "owner"), (.group, "group"), (.accessList, "access control list"),
            (.attributes, "extended attributes"),
        ]
        let lost = names.filter { contains($0.0) }.map(\.1)
        if lost.isEmpty { return }
        console.warn("\(path.printable): could not copy from the source: \(lost.joined(separator: ", "))")
    }
}
