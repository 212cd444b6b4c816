import Sluice
import SystemPackage

/// A line as sha256sum prints it, for sha256sum -c to read: the hash and the name of the content.
struct HashLine {
    let bytes: [UInt8]
    /// Standard output, unless the data goes there.
    let descriptor: FileDescriptor

    init(_ hash: String, of operand: FilePath, _ settings: Settings) {
        let operation = settings.command.activity
        let goesOut =
            settings.output.destination == .standardOutput
            || settings.output.destination == .derived
                && (operand == Operand.standardInput || operation.content == .both)
        descriptor = operation.hasOutput && goesOut ? .standardError : .standardOutput
        let name = Self.name(of: operand, settings).bytes
        // As there, a name that does not fit a line is escaped, which a backslash in front tells.
        let escaped = name.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\\"): Array("\\\\".utf8)
            case UInt8(ascii: "\n"): Array("\\n".utf8)
            case UInt8(ascii: "\r"): Array("\\r".utf8)
            default: [byte]
            }
        }
        bytes = (escaped == name ? [] : [UInt8(ascii: "\\")]) + hash.utf8 + "  ".utf8 + escaped + "\n".utf8
    }

    /// The name of the file that has the content: what is compressed, or what comes of it.
    private static func name(of operand: FilePath, _ settings: Settings) -> FilePath {
        if settings.command.activity.content != .output || operand == Operand.standardInput {
            if operand == Operand.standardInput, settings.command.activity.content != .input,
                case .path(let path) = settings.output.destination
            {
                return path
            }
            return operand
        }
        if case .path(let path) = settings.output.destination { return path }
        return settings.derivedName(of: operand) ?? FileName.decompressed(operand) ?? operand
    }
}
