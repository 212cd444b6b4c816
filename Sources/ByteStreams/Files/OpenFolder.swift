internal import Glibc
internal import Synchronization
package import SystemPackage

/// An open folder. Files are created and named in it even if its path later leads elsewhere.
package final class OpenFolder: Sendable {
    package let descriptor: FileDescriptor
    /// False for a folder that may be written but not read, which can't be synced.
    let isReadable: Bool
    /// Whether files without a name can be created in it.
    let hasUnnamedFiles: Bool

    private struct Known: Sendable {
        var path = FilePath()
        weak var folder: OpenFolder?
    }

    /// The folder requested last, for as long as it is in use: the next file is mostly in the same one.
    private static let last = Mutex(Known())

    /// The folder that a file of this name is in.
    package static func of(_ path: FilePath) throws(Errno) -> OpenFolder {
        let path = path.folder
        if let known = last.withLock({ $0.path == path ? $0.folder : nil }) { return known }
        let folder = try OpenFolder(at: path)
        last.withLock { $0 = Known(path: path, folder: folder) }
        return folder
    }

    init(at path: FilePath) throws(Errno) { (descriptor, isReadable, hasUnnamedFiles) = try openFolder(path) }

    deinit { close(descriptor.rawValue) }

    /// Whether we own it and no other user may create files in it. The group bits also bound an access control list.
    var isOurs: Bool {
        guard let status = try? FileIdentity(descriptor).status else { return false }
        return status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// Waits until the names in it are on disk.
    ///
    /// - Parameter path: a file in it, for the failure.
    package func sync(for path: FilePath) throws(Failure) {
        if isReadable { try OutputFile.sync(descriptor, path, "sync the directory of") }
    }

    /// Looks up a name in it, without following a symbolic link.
    package func entry(_ name: FilePath.Component, bypassingCache: Bool = true) throws(Errno) -> FileIdentity {
        try FileIdentity(
            at: FilePath(root: nil, [name]), in: descriptor, followingLinks: false, bypassingCache: bypassingCache)
    }
}

/// Owns a descriptor and closes it at the end of its life, also when the initializer of a type that stores it fails.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    package init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { close(descriptor.rawValue) }
    /// The mode that a new file gets here, as from any program: its default access control list takes the umask's place.
    var modeOfNewFile: mode_t {
        let inherited = descriptor.inheritedMode
        return 0o666 & (inherited ?? ~modeMask())
    }

}
