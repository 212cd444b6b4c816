import Sluice

/// Which files are read, and how.
struct InputSettings: Sendable {
    /// Whether directories are processed recursively.
    var isRecursive = false
    var excludesCompressed = false
    /// Lists of operands.
    var fileLists: [FilePath] = []
    /// Bytes that standard input will have; nil if not given.
    var streamSize: UInt64?
    /// How a file to compress is read.
    var reading = Reading.auto

    /// Whether the file is a list of operands, which an output must not replace.
    func isFileList(_ file: FileIdentity) -> Bool {
        fileLists.contains { Operand.identity(of: $0)?.isSameFile(as: file) == true }
    }
}
