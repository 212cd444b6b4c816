import Sluice

/// Operands, and the names of their outputs.
extension Settings {
    /// Returns the operands that were named, directly or in lists; or the command's default.
    ///
    /// - Throws: why a list can't be read.
    func operands(_ named: [FilePath]) throws(Complaint) -> [FilePath] {
        var operands = named
        for list in input.fileLists { operands += try FileList.names(in: list) }
        return operands.isEmpty ? command.standardOperands : operands
    }

    /// Whether there are directories to walk.
    func walks(_ operands: [FilePath]) -> Bool { input.isRecursive && operands.contains(where: isFolder) }

    /// Whether operands are outputs of other operands, and processed in zstd's way: `zstd -f *` makes `x.zst` anew from
    /// x, and then `x.zst.zst` from that.
    ///
    /// This is only for zstd's names with `-f`. With `--rm` it would lose a source; with sluice's own name it is a
    /// mistake.
    func isChain(_ operands: [FilePath]) -> Bool {
        guard followsZstd, isForced, !output.removesSource, command.activity.hasOutput, operands.count > 1 else {
            return false
        }
        let read = Set(operands.map { $0.lexicallyNormalized() })
        return operands.contains { derivedName(of: $0).map { read.contains($0.lexicallyNormalized()) } ?? false }
    }

    /// Whether an operand is a directory, or with `-f` a link to one.
    func isFolder(_ path: FilePath) -> Bool {
        path != Operand.standardInput
            && (try? FileIdentity(at: path, followingLinks: isForced))?.kind == .directory
    }

    /// Whether `--exclude-compressed` skips the file.
    func leavesOut(_ path: FilePath) -> Bool {
        input.excludesCompressed && command.activity.content == .input && FileName.isCompressed(path)
    }

    /// The output name derived from a file's own; nil if there is none, or the suffix is unknown.
    func derivedName(of path: FilePath) -> FilePath? {
        guard output.destination == .derived, path != Operand.standardInput else { return nil }
        return command.outputName(of: path).map { output.folder?.place(of: $0) ?? $0 }
    }

    /// The directory that mirrors the directories of the sources, if outputs go there.
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
