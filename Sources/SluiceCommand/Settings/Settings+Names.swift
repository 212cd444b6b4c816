import Sluice
import SystemPackage

/// Which files are read, and what becomes of their names.
extension Settings {
    /// What was named, and what the lists name; or what the command does without.
    ///
    /// - Throws: why a list can't be read.
    func operands(_ named: [FilePath]) throws(Complaint) -> [FilePath] {
        var operands = named
        for list in input.fileLists { operands += try FileList.names(in: list) }
        return operands.isEmpty ? command.standardOperands : operands
    }

    /// Whether there are files that are not named.
    func walks(_ operands: [FilePath]) -> Bool { input.isRecursive && operands.contains(where: isFolder) }

    /// Whether operands are what others become, and are done as zstd does them: `zstd -f *` makes `x.zst` anew of x,
    /// and then `x.zst.zst` of that.
    ///
    /// That is for who calls zstd and says `-f`. With `--rm` it would lose a source, by our own name it is a mistake.
    func isChain(_ operands: [FilePath]) -> Bool {
        guard followsZstd, isForced, !output.removesSource, command.activity.hasOutput, operands.count > 1 else {
            return false
        }
        let read = Set(operands.map { $0.lexicallyNormalized() })
        return operands.contains { derivedName(of: $0).map { read.contains($0.lexicallyNormalized()) } ?? false }
    }

    /// Whether an operand is a folder, or with `-f` a link to one.
    func isFolder(_ path: FilePath) -> Bool {
        path != Operand.standardInput
            && (try? FileIdentity(at: path, followingLinks: isForced))?.kind == .directory
    }

    /// Whether a file is not to be compressed, for its name says that it is.
    func leavesOut(_ path: FilePath) -> Bool {
        input.excludesCompressed && command.activity.content == .input && FileName.isCompressed(path)
    }

    /// The name of a file's output, made from its own; nil if there is none, or its suffix is unknown.
    func derivedName(of path: FilePath) -> FilePath? {
        guard output.destination == .derived, path != Operand.standardInput else { return nil }
        return command.outputName(of: path).map { output.folder?.place(of: $0) ?? $0 }
    }

    /// The folder in which those of the sources are made anew, if something goes there.
    var mirror: FilePath? {
        guard let folder = output.folder, folder.isMirror, command.activity.hasOutput, output.destination == .derived
        else {
            return nil
        }
        return folder.path
    }

    /// Whether the data goes to standard output.
    func isFilter(_ operands: [FilePath]) -> Bool {
        output.destination == .standardOutput
            || output.destination == .derived
                && (operands == [Operand.standardInput] || command.activity.content == .both)
    }
}
