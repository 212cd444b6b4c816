import Glibc
import SluiceEngine

/// A file to process: one that was named, or one that was found in a directory.
struct Operand: Sendable {
    static let standardInput: FilePath = "-"
    /// Standard input in messages.
    static let standardInputName: FilePath = "standard input"

    let path: FilePath
    /// The directory that it was found in, and is opened from; nil for a file that was named.
    let folder: Folder?

    /// The path relative to `folder`, or to the working directory.
    private let name: FilePath

    init(_ path: FilePath) {
        self.path = path
        name = path
        folder = nil
    }

    init(_ name: FilePath, in folder: Folder) {
        path = folder.path.pushing(name)
        self.name = name
        self.folder = folder
    }

    /// The operand's name in messages.
    static func name(of path: FilePath) -> FilePath { path.isStandardInput ? standardInputName : path }

    /// The operand's identity; nil if it doesn't exist.
    static func identity(of path: FilePath) -> FileIdentity? {
        path.isStandardInput ? try? FileIdentity(.standardInput) : try? FileIdentity(at: path)
    }

    /// The identity of what has the name.
    func identity(followingLinks: Bool) throws(Errno) -> FileIdentity {
        try FileIdentity(at: name, in: start, followingLinks: followingLinks)
    }

    /// Opens the operand for reading.
    ///
    /// A file that was found is opened without blocking: a FIFO that took its place may have no writer.
    ///
    /// - Parameters:
    ///   - isLink: whether the operand is a symbolic link to be followed; a link that took its place is refused.
    ///   - flags: additional flags of `open`.
    func open(isLink: Bool, _ flags: Int32 = 0) throws(Errno) -> FileDescriptor {
        let flags =
            flags | O_RDONLY | O_NOCTTY | (isLink ? 0 : O_NOFOLLOW) | (folder == nil ? 0 : O_NONBLOCK)
        return try FileDescriptor(opening: name, in: start, flags)
    }

    /// The directory that `name` is relative to.
    private var start: FileDescriptor { folder?.descriptor ?? .currentFolder }
}

extension FilePath {
    /// Whether it stands for standard input, as an operand does.
    var isStandardInput: Bool { self == Operand.standardInput }
}
