import Sluice
import SystemPackage

/// Which files are read.
extension Settings {
    mutating func take(_ options: InputOptions, _ paths: [FilePath]) {
        isRecursive = options.recursive
        excludesCompressed = options.excludeCompressed
        fileLists = options.filelist.map { paths[$0] }
    }

    /// What was named, and what the lists name; or what the verb does without.
    ///
    /// - Throws: why a list can't be read.
    func operands(_ named: [FilePath]) throws(Complaint) -> [FilePath] {
        var operands = named
        for list in fileLists { operands += try FileList.names(in: list) }
        return operands.isEmpty ? verb.standardOperands : operands
    }

    /// Whether a file is not to be compressed, for its name says that it is.
    func leavesOut(_ path: FilePath) -> Bool {
        excludesCompressed && verb.operation == .compress && FileName.isCompressed(path)
    }
}
