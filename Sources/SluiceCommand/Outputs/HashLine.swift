import Sluice

/// A line in the format of sha256sum, for sha256sum -c: the hash and the name of the content.
struct HashLine {
    let bytes: [UInt8]
    /// Standard output, or standard error if the data goes to standard output.
    let descriptor: FileDescriptor

    init(_ hash: String, of operand: FilePath, _ settings: Settings) {
        let isFilter = settings.isFilter(ofStream: operand == Operand.standardInput)
        descriptor = settings.activity.hasOutput && isFilter ? .standardError : .standardOutput
        let name = Self.name(of: operand, settings).bytes
        // Like sha256sum: a name with a backslash or line break is escaped, and a leading backslash marks it.
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

    /// The name of the file with the content: the source of a compression, the output of a decompression.
    private static func name(of operand: FilePath, _ settings: Settings) -> FilePath {
        let path = settings.output.destination.path
        return switch settings.activity.content {
        case .input: operand
        case .both: operand == Operand.standardInput ? path ?? operand : operand
        case .output: path ?? settings.derivedName(of: operand) ?? FileName.decompressed(operand) ?? operand
        }
    }
}
