import Glibc
import Sluice
import Synchronization

/// Creates directories for outputs that mirror those of their sources (`--output-dir-mirror`) when they are first
/// needed.
final class MirroredFolders: Sendable {
    private let root: FilePath
    private let isForced: Bool
    private let isSynced: Bool
    /// The directory of the previous file, which most files share.
    private let last = Mutex<FilePath?>(nil)

    /// - Parameters:
    ///   - root: the directory that contains them.
    ///   - isForced: whether links in the root are followed.
    ///   - isSynced: whether each directory is synced before it is used.
    init(in root: FilePath, isForced: Bool, isSynced: Bool) {
        self.root = root
        self.isForced = isForced
        self.isSynced = isSynced
    }

    /// Creates the directory of an output and its ancestors, with the modes of the source's directories.
    func prepare(for target: FilePath, of source: Operand) throws(Complaint) {
        let folder = target.folder
        try last.withLock { last throws(Complaint) in
            if last == folder { return }
            last = nil
            try make(root, mode: 0o755)
            // The names beneath the root are the last ones of the source's directory.
            var original = FilePath(root: source.path.root, [])
            var copy = root
            for name in source.path.parent.components {
                original.append(name)
                guard name.kind == .regular else { continue }
                copy.append(name)
                try make(copy, mode: (try? FileIdentity(at: original))?.mode ?? 0o755)
                try refuseLink(copy)
            }
            last = folder
        }
    }

    private func make(_ folder: FilePath, mode: UInt32) throws(Complaint) {
        do throws(Errno) {
            try systemCall { folder.withPlatformString { mkdir($0, mode) } }
        } catch .fileExists {
            return
        } catch {
            throw Complaint(folder, "can't create the directory: \(error.sentence)")
        }
        guard isSynced else { return }
        try Complaint.about(source: folder, OutputFile.syncFolder(of: folder))
    }

    /// A link in the mirror would lead the outputs elsewhere.
    private func refuseLink(_ folder: FilePath) throws(Complaint) {
        guard !isForced, (try? FileIdentity(at: folder, followingLinks: false))?.isSymbolicLink == true else { return }
        throw Complaint(folder, "is a symbolic link: nothing is written through it", hint: "-f follows it")
    }
}
