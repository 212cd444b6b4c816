import Glibc
import SluiceEngine
import Synchronization

/// Opens directories for outputs that mirror those of their sources (`--output-dir-mirror`), and creates them when they
/// are first needed.
///
/// Each is opened in the one above it, from the root on: a link that takes the place of one later leads nowhere.
final class MirroredFolders: Sendable {
    private let root: FilePath
    private let isForced: Bool
    private let isSynced: Bool
    private let state = Mutex(State())

    private struct State {
        /// Nil until it is needed.
        var root: OpenFolder?
        /// The directory of the previous file, which most files share.
        var last: (path: FilePath, folder: OpenFolder)?
    }

    /// - Parameters:
    ///   - root: the directory that contains them.
    ///   - isForced: whether links in the root are followed.
    ///   - isSynced: whether each directory is synced before it is used.
    init(in root: FilePath, isForced: Bool, isSynced: Bool) {
        self.root = root
        self.isForced = isForced
        self.isSynced = isSynced
    }

    /// Opens the directory of an output; creates it and its ancestors, with the modes of the source's directories.
    func folder(for target: FilePath, of source: Operand) throws(Complaint) -> OpenFolder {
        let path = target.folder
        return try state.withLock { state throws(Complaint) in
            if let last = state.last, last.path == path { return last.folder }
            var folder = if let root = state.root { root } else { try openRoot() }
            state.root = folder
            // The names beneath the root are the last ones of the source's directory.
            var original = FilePath(root: source.path.root, [])
            var copy = root
            for name in source.path.parent.components {
                original.append(name)
                guard name.kind == .regular else { continue }
                copy.append(name)
                folder = try open(name, in: folder, as: copy, like: original)
            }
            state.last = (path, folder)
            return folder
        }
    }

    /// The root is where the user says, and may be a link.
    private func openRoot() throws(Complaint) -> OpenFolder {
        do throws(Errno) { return try OpenFolder(at: root) } catch {
            if error != .noSuchFileOrDirectory { throw Complaint(root, "can't open the directory: \(error.sentence)") }
        }
        guard let name = root.lastComponent, name.kind == .regular else {
            throw Complaint(root, "can't create the directory: \(Errno.noSuchFileOrDirectory.sentence)")
        }
        let parent = try Complaint.about(root, cant: "create the directory", OpenFolder.of(root))
        return try open(name, in: parent, as: root, like: nil)
    }

    /// - Parameters:
    ///   - path: the directory in messages.
    ///   - original: the directory whose mode a new one gets; nil for the usual mode.
    private func open(
        _ name: FilePath.Component, in parent: OpenFolder, as path: FilePath, like original: FilePath?
    ) throws(Complaint) -> OpenFolder {
        let mode = original.flatMap { try? FileIdentity(at: $0).mode } ?? 0o755
        let (folder, isNew): (OpenFolder, Bool)
        do throws(Errno) {
            (folder, isNew) = try parent.folder(name, creatingWith: mode, followingLinks: isForced || original == nil)
        } catch {
            if (try? parent.entry(name))?.isSymbolicLink == true, !isForced {
                throw Complaint(path, "is a symbolic link: nothing is written through it", hint: "-f follows it")
            }
            throw Complaint(path, "can't create the directory: \(error.sentence)")
        }
        if isNew, isSynced { try Complaint.about(source: path, parent.sync(for: path)) }
        return folder
    }
}
