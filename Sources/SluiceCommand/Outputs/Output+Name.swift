import Sluice

extension Output {
    /// The name of an operand's output; nil for standard output, or if nothing is written.
    ///
    /// - Parameters:
    ///   - path: the operand's path; nil for standard input.
    ///   - source: the operand, once it is open: its content identifies a format that the suffix does not.
    static func name(
        for path: FilePath?, source: Source? = nil, _ settings: Settings
    ) throws(Complaint) -> FilePath? {
        if !settings.command.activity.hasOutput { return nil }
        switch settings.output.destination {
        case .standardOutput: return nil
        case .path(let path): return path
        case .derived: break
        }
        guard let path, settings.command.activity.content != .both else { return nil }
        if path.isOpenDescriptor {
            throw Complaint(
                path, "stands for what is open, not for a file that an output could be named after",
                hint: "name the output with -o, or use -c")
        }
        if settings.output.folder?.isMirror == true, path.components.contains(where: { $0.kind == .parentDirectory }) {
            throw Complaint(
                path, "goes up in its name: it has no place in a folder like those of the sources",
                hint: "--output-dir-flat takes it")
        }
        guard let name = settings.derivedName(of: path) else {
            if let format = source?.foreignFormat, !format.isRead {
                throw Complaint(.foreign(.notRead(format)), source: path)
            }
            throw Complaint(
                path, "unknown suffix, expected is one of \(FileName.knownSuffixes.joined(separator: " "))",
                hint: "name the output with -o, or use -c")
        }
        return name
    }
}
