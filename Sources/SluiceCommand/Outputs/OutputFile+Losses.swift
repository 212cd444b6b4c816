import Sluice

extension OutputFile.Losses {
    /// Warns of what a file lacks, if anything is lost.
    ///
    /// - Parameter isCopied: whether it comes from a source, and is not what every new file gets.
    func warn(about path: FilePath, isCopied: Bool = true, on console: Console) {
        let names: [(OutputFile.Losses, String)] = [
            (.owner, "owner"), (.group, "group"), (.mode, "mode"), (.times, "times"),
            (.accessList, "access control list"), (.attributes, "extended attributes"),
        ]
        let lost = names.filter { contains($0.0) }.map(\.1)
        if lost.isEmpty { return }
        console.warn(
            path, (isCopied ? "could not copy from the source: " : "could not set: ") + lost.joined(separator: ", "))
    }
}
