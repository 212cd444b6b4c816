import Glibc
import SluiceEngine

/// Where an output gets its name: at a path, or in a directory that is open.
///
/// What a directory's name stands for is decided once, when the directory is opened. So whoever may rename the
/// directories of the sources, or put links in their places, leads no output elsewhere.
struct OutputPlace: Sendable {
    /// The path in messages.
    let path: FilePath
    /// Nil for the directory that the path leads to.
    let folder: OpenFolder?

    init(_ path: FilePath, in folder: OpenFolder? = nil) { (self.path, self.folder) = (path, folder) }

    /// The path relative to `start`.
    private var name: FilePath {
        guard folder != nil, let name = path.lastComponent else { return path }
        return FilePath(root: nil, [name])
    }

    /// The directory that `name` is relative to.
    private var start: FileDescriptor { folder?.descriptor ?? .currentFolder }

    /// The identity of what has the name; nil if nothing has it.
    func identity(followingLinks: Bool = false, bypassingCache: Bool = false) -> FileIdentity? {
        try? FileIdentity(at: name, in: start, followingLinks: followingLinks, bypassingCache: bypassingCache)
    }

    /// Opens what has the name, to write it in place. A file that is created here is accessible by nobody.
    func open(_ flags: Int32) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            rawValue: try systemCall {
                name.withPlatformString { openat(start.rawValue, $0, flags | O_CLOEXEC, 0) }
            })
    }

    /// Removes the name if it is that of a file.
    func remove(where isMeant: (FileIdentity) -> Bool) {
        _ = try? Removal.of(path, in: folder?.descriptor, where: isMeant)
    }
}
