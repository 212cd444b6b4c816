internal import Glibc
internal import SystemPackage

/// A file that is kept from one run to the next, under a fixed name.
enum KeptFile {
    /// Opens it to be read and written, or creates it, readable by its owner only.
    ///
    /// - Throws: `file`, also if it is not ours alone: then somebody else could change it later.
    static func open(
        _ name: FilePath.Component, in folder: OpenFolder, for target: FilePath
    ) throws(Failure) -> FileDescriptor {
        let path = target.removingLastComponent().appending(name)
        let descriptor = FileDescriptor(
            rawValue: try Failure.check("open", path) { open(name, in: folder.descriptor.rawValue) })
        guard isOurs(descriptor) else {
            try? descriptor.close()
            throw .file(action: "go on with", path: path, .notPermitted)
        }
        return descriptor
    }

    /// Whether it is a file of ours with no other name, which nobody else has.
    static func isOurs(_ descriptor: FileDescriptor) -> Bool {
        guard let status = try? FileIdentity(descriptor).status else { return false }
        return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 && status.st_uid == geteuid()
    }

    private static func open(_ name: FilePath.Component, in folder: Int32) -> Int32 {
        name.withPlatformString { name in
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let descriptor = openat(folder, name, flags, 0o600)
            // Its last run may have ended when it had the mode of its source already.
            guard descriptor < 0, errno == EACCES, fchmodat(folder, name, 0o600, AT_SYMLINK_NOFOLLOW) == 0 else {
                return descriptor
            }
            return openat(folder, name, flags, 0o600)
        }
    }

    /// Whether the name still leads to the file that is open.
    static func isStill(_ name: FilePath.Component, in folder: OpenFolder, _ descriptor: FileDescriptor) -> Bool {
        let named = try? FileIdentity(at: FilePath(root: nil, [name]), in: folder.descriptor, followingLinks: false)
        guard let named, let open = try? FileIdentity(descriptor) else { return false }
        return named.isSameFile(as: open)
    }
}
