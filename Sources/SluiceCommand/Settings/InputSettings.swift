import Sluice

/// Which files are read, and how.
struct InputSettings: Sendable {
    /// Whether directories are processed recursively.
    var isRecursive = false
    /// Whether links are followed, and devices and terminals read; `Settings.isForced` asks the same for outputs.
    var isForced = false
    /// Whether files that are already compressed are left out.
    var excludesCompressed = false
    /// Lists of operands.
    var fileLists: [FilePath] = []
    /// Bytes that standard input will have; nil if not given.
    var streamSize: UInt64?
    /// Whether zeros may follow compressed data.
    var ignoresZeros = false
    /// How a file to compress is read.
    var reading = Reading.auto

    /// Whether an operand is a directory, or with `-f` a link to one.
    func isFolder(_ path: FilePath) -> Bool {
        if path == Operand.standardInput { return false }
        do throws(Errno) { return try FileIdentity(at: path, followingLinks: isForced).kind == .directory } catch {
            // The name ended in a slash, and what has it is a directory that can't be entered.
            return error == .permissionDenied && path.endsInDot
        }
    }

    /// Whether `--exclude-compressed` skips the file.
    func leavesOut(_ path: FilePath) -> Bool { excludesCompressed && FileName.isCompressed(path) }
}
