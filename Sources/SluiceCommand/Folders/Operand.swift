import Glibc
import Sluice
import SystemPackage

/// One thing to be done: a file that was named, or one that was found in a folder.
struct Operand: Sendable {
    /// What stands for standard input.
    static let standardInput: FilePath = "-"

    let path: FilePath
    /// The folder that it was found in, from which it is reached; nil for what was named.
    let folder: Folder?

    /// From the folder, or from the current one.
    private let name: FilePath

    init(_ path: FilePath) {
        (self.path, name, folder) = (path, path, nil)
    }

    init(_ name: FilePath, in folder: Folder) {
        path = folder.path.pushing(name)
        self.name = name
        self.folder = folder
    }

    /// How an operand is told to a person.
    static func name(of path: FilePath) -> String { path == standardInput ? "standard input" : path.printable }

    /// What an operand is, if it is there.
    static func identity(of path: FilePath) -> FileIdentity? {
        path == standardInput ? try? FileIdentity(.standardInput) : try? FileIdentity(at: path)
    }

    /// What lies under the name.
    func identity(followingLinks: Bool) throws(Errno) -> FileIdentity {
        try FileIdentity(at: name, in: start, followingLinks: followingLinks)
    }

    /// Opens it to be read.
    ///
    /// What was found is not waited for: a FIFO that took its place has no writer.
    ///
    /// - Parameters:
    ///   - isLink: whether it is a symbolic link that is to be followed; one that took its place is not.
    ///   - flags: more of them, of `open`.
    func open(isLink: Bool, _ flags: Int32 = 0) throws(Errno) -> FileDescriptor {
        let flags =
            flags | O_RDONLY | O_CLOEXEC | O_NOCTTY | (isLink ? 0 : O_NOFOLLOW) | (folder == nil ? 0 : O_NONBLOCK)
        return FileDescriptor(
            rawValue: try systemCall { name.withPlatformString { openat(start.rawValue, $0, flags) } })
    }

    /// Removes it, or the link that it is, if what it is then is what is meant.
    func remove(where isMeant: (FileIdentity) -> Bool) throws(Errno) -> Removal {
        try Removal.of(path, in: folder?.descriptor, where: isMeant)
    }

    /// Where `name` begins.
    private var start: FileDescriptor { folder?.descriptor ?? FileDescriptor(rawValue: AT_FDCWD) }
}
