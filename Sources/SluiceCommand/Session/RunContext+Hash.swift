import Sluice

extension RunContext {
    /// Prints the hash and the name of the content in the format of sha256sum, for sha256sum -c, on standard output, or
    /// on standard error if the data goes to standard output.
    func printHash(_ hash: String, of operand: FilePath) throws(Complaint) {
        let isFilter = settings.isFilter(ofStream: operand == Operand.standardInput)
        let descriptor: FileDescriptor = settings.activity.hasOutput && isFilter ? .standardError : .standardOutput
        let name = contentName(of: operand).bytes
        // Like sha256sum: a name with a backslash or line break is escaped, and a leading backslash marks it.
        let escaped = name.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\\"): Array("\\\\".utf8)
            case UInt8(ascii: "\n"): Array("\\n".utf8)
            case UInt8(ascii: "\r"): Array("\\r".utf8)
            default: [byte]
            }
        }
        let line: [UInt8] = (escaped == name ? [] : [UInt8(ascii: "\\")]) + hash.utf8 + "  ".utf8 + escaped + "\n".utf8
        try Complaint.aboutPrinting(console.print(line, on: descriptor))
    }

    /// The name of the file with the content: the source of a compression, the output of a decompression.
    private func contentName(of operand: FilePath) -> FilePath {
        let path = settings.output.destination.path
        return switch settings.activity.content {
        case .input: operand
        case .both: operand == Operand.standardInput ? path ?? operand : operand
        case .output: path ?? settings.derivedName(of: operand) ?? FileName.decompressed(operand) ?? operand
        }
    }
}
