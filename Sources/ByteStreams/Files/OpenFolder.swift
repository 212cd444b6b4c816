internal import CKernel
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A folder that is open: what is made and named in it is in it, whatever its own name leads to meanwhile.
package final class OpenFolder: Sendable {
    package let descriptor: FileDescriptor
    /// Whether it can be synced: what may be written and not read can't.
    let isReadable: Bool
    /// Whether files can be made in it that have no name yet.
    let hasUnnamedFiles: Bool

    private struct Known: Sendable {
        var path = FilePath()
        weak var folder: OpenFolder?
    }

    /// The folder that was asked for last, as long as a file is made in it: most are made in the one of the file
    /// before.
    private static let last = Mutex(Known())

    /// The folder that a file of this name would be in.
    package static func of(_ path: FilePath) throws(Errno) -> OpenFolder {
        let path = path.folder
        if let known = last.withLock({ $0.path == path ? $0.folder : nil }) { return known }
        let folder = try OpenFolder(at: path)
        last.withLock { $0 = Known(path: path, folder: folder) }
        return folder
    }

    private init(at path: FilePath) throws(Errno) {
        var isReadable = false
        descriptor = FileDescriptor(
            rawValue: try systemCall { path.withPlatformString { sluice_open_folder($0, &isReadable) } })
        self.isReadable = isReadable
        hasUnnamedFiles = sluice_has_unnamed_files(descriptor.rawValue)
    }

    deinit { close(descriptor.rawValue) }

    /// Whether we own it and nobody else may create files in it. The mode also limits what an access control list
    /// grants.
    var isOurs: Bool {
        guard let status = try? FileIdentity(descriptor).status else { return false }
        return status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// Waits until the names in it are on the disk.
    ///
    /// - Parameter path: of the file, for the failure.
    package func sync(for path: FilePath) throws(Failure) {
        if isReadable { try OutputFile.sync(descriptor, path, "sync the folder of") }
    }

    /// Removes a file that has this name in it.
    package func remove(_ name: FilePath.Component) throws(Errno) {
        try systemCall { name.withPlatformString { unlinkat(descriptor.rawValue, $0, 0) } }
    }
}
