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
    /// Identifies it; nil if it can't be looked at.
    package let number: FileIdentity.Number?

    /// The folder requested last, for as long as it is in use: the next file is mostly in the same one.
    private static let last = Mutex(Recent())

    private struct Recent: Sendable {
        weak var folder: OpenFolder?
    }

    /// The folder that a file of this name is in.
    package static func of(_ path: FilePath) throws(Errno) -> OpenFolder {
        let path = path.folder
        // The same text may mean another folder than before: after `chdir`, or since the folder was renamed.
        if let number = try? FileIdentity(at: path).number, let known = last.withLock({ $0.folder }),
            known.number == number
        {
            return known
        }
        let folder = try OpenFolder(at: path)
        last.withLock { $0.folder = folder }
        return folder
    }

    package convenience init(at path: FilePath) throws(Errno) { self.init(try openFolder(path)) }

    private init(_ folder: (descriptor: FileDescriptor, isReadable: Bool, hasUnnamedFiles: Bool)) {
        (descriptor, isReadable, hasUnnamedFiles) = folder
        number = try? FileIdentity(descriptor).number
    }

    /// The same folder, open once more.
    func reopened() throws(Errno) -> OpenFolder { OpenFolder(try openFolder(".", in: descriptor)) }

    /// Takes over the descriptor of a folder that was opened for reading.
    package init(adopting descriptor: FileDescriptor) {
        self.descriptor = descriptor
        (isReadable, hasUnnamedFiles) = (true, descriptor.hasUnnamedFiles)
        number = try? FileIdentity(descriptor).number
    }

    deinit { close(descriptor.rawValue) }

    /// Whether we own it and no other user may create files in it. The group bits also bound an access control list.
    var isOurs: Bool {
        guard let status = try? FileIdentity(descriptor).status else { return false }
        return status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// The mode that a new file gets here, as from any program: its default access control list takes the umask's
    /// place.
    var modeOfNewFile: mode_t {
        let inherited = descriptor.inheritedMode
        return 0o666 & (inherited ?? ~modeMask())
    }

    /// Waits until the names in it are on disk.
    ///
    /// - Parameter path: a file in it, for the failure.
    package func sync(for path: FilePath) throws(Failure) {
        if isReadable { try OutputFile.sync(descriptor, path, "sync the directory of") }
    }

    /// Opens a folder in this one; creates it if there is none of that name.
    ///
    /// - Parameters:
    ///   - mode: of a new folder, which the umask narrows. It has no access control list from this one.
    ///   - followingLinks: false to refuse a symbolic link (`notDirectory`).
    package func folder(
        _ name: FilePath.Component, creatingWith mode: UInt32, followingLinks: Bool
    ) throws(Errno) -> (folder: OpenFolder, isNew: Bool) {
        let path = FilePath(root: nil, [name])
        let call = { [descriptor] () throws(Errno) in
            OpenFolder(try openFolder(path, in: descriptor, followingLinks: followingLinks))
        }
        do throws(Errno) { return (try call(), false) } catch {
            if error != .noSuchFileOrDirectory { throw error }
        }
        do throws(Errno) {
            try systemCall { path.withPlatformString { mkdirat(descriptor.rawValue, $0, 0o700) } }
        } catch .fileExists {
            return (try call(), false)
        }
        let folder = try call()
        folder.setMode(mode & ~modeMask())
        return (folder, true)
    }

    /// Sets the mode of a new folder, which so far is accessible by its owner only, and stays so if it has a list of
    /// others.
    private func setMode(_ mode: mode_t) {
        guard descriptor.removeAccessList(), let special = try? FileIdentity(descriptor).status.st_mode & 0o7000 else {
            return
        }
        _ = fchmod(descriptor.rawValue, special | mode)
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
}
