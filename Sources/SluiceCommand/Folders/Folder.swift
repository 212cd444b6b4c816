import Glibc
import SluiceEngine

/// An open directory whose files are processed. Holding it open ensures that its files are those that were listed, even
/// if it is renamed or replaced by a link.
final class Folder: Sendable {
    /// The path in messages, which prefixes those of its files.
    let path: FilePath
    let identity: FileIdentity
    /// Outputs beside its files are made in it, too.
    let opened: OpenFolder

    var descriptor: FileDescriptor { opened.descriptor }

    /// - Parameter isLink: whether the operand is a symbolic link to be followed.
    /// - Throws: why the directory can't be opened.
    init(_ operand: Operand, isLink: Bool) throws(Errno) {
        opened = OpenFolder(adopting: try operand.open(isLink: isLink, O_DIRECTORY))
        identity = try FileIdentity(opened.descriptor)
        // A trailing slash has become a dot, which would appear in the paths of all files.
        path = operand.path.endsInDot ? operand.path.parent : operand.path
    }
}

/// A directory for outputs that otherwise would be beside their sources.
struct OutputFolder: Sendable {
    let path: FilePath
    /// Whether it mirrors the directories of the sources.
    let isMirror: Bool

    /// - Parameter path: a trailing `/.`, from a slash, is removed: the directory may not exist yet.
    init(path: FilePath, isMirror: Bool) {
        var path = path
        while path.components.count > 1, path.lastComponent?.kind == .currentDirectory { path.removeLastComponent() }
        (self.path, self.isMirror) = (path, isMirror)
    }

    /// The path of an output that would have this name beside its source.
    func place(of name: FilePath) -> FilePath {
        guard let file = name.lastComponent else { return path }
        guard isMirror else { return path.appending(file) }
        return path.appending(name.components.filter { $0.kind == .regular })
    }
}
