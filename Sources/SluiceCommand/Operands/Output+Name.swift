import ForeignCodec
import Sluice
import SystemPackage

extension Output {
    /// The name of what becomes of an operand; nil if that goes to standard output, or nowhere.
    ///
    /// - Parameters:
    ///   - path: the operand's name; nil for standard input.
    ///   - source: the operand, once it is open: its content may say more than a suffix that is unknown.
    static func name(
        for path: FilePath?, source: Source? = nil, _ settings: Settings
    ) throws(Complaint) -> FilePath? {
        if !settings.verb.activity.hasOutput { return nil }
        switch settings.output {
        case .standardOutput: return nil
        case .path(let path): return path
        case .derived: break
        }
        guard let path, settings.verb.activity.content != .both else { return nil }
        if path.isOpenDescriptor {
            throw Complaint(
                path, "stands for what is open, not for a file that an output could be named after",
                hint: "name the output with -o, or use -c")
        }
        if settings.outputFolder?.isMirror == true, path.components.contains(where: { $0.kind == .parentDirectory }) {
            throw Complaint(
                path, "goes up in its name: it has no place in a folder like those of the sources",
                hint: "--output-dir-flat takes it")
        }
        guard let name = settings.derivedName(of: path) else {
            if let format = source?.foreignFormat, !format.isRead {
                throw Complaint(.foreign(.notRead(format)), source: path, target: path)
            }
            throw Complaint(
                path, "unknown suffix, expected is one of \(FileName.knownSuffixes)",
                hint: "name the output with -o, or use -c")
        }
        return name
    }
}
