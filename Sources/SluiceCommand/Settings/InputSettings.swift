import Sluice
import SystemPackage

/// Which files are read, and how.
struct InputSettings: Sendable {
    /// Whether directories stand for the files in them.
    var isRecursive = false
    var excludesCompressed = false
    /// Files that name operands.
    var fileLists: [FilePath] = []
    /// Bytes that will come from standard input; nil if nobody said so.
    var streamSize: UInt64?
    /// Who reads a file that is compressed.
    var reading = Reading.auto

    /// Whether a file says which files are read: an output that replaced it would lose that.
    func isFileList(_ file: FileIdentity) -> Bool {
        fileLists.contains { Operand.identity(of: $0)?.isSameFile(as: file) == true }
    }
}
