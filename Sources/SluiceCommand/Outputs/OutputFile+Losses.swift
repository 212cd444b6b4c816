import Sluice

extension OutputFile.Losses {
    /// A warning about a file that lacks them; nil if nothing is lost.
    func warning(for path: FilePath) -> String? {
        let names: [(OutputFile.Losses, String)] = [
            (.owner, "owner"), (.group, "group"), (.accessList, "access control list"),
            (.attributes, "extended attributes"),
        ]
        let lost = names.filter { contains($0.0) }.map(\.1)
        return lost.isEmpty ? nil : "\(path.printable): could not copy from the source: \(lost.joined(separator: ", "))"
    }
}
