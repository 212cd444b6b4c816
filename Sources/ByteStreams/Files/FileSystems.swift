internal import Glibc
internal import Synchronization
package import SystemPackage

/// The file systems that many small files are written to, to be synced as a whole where that is known to work.
///
/// `syncfs` reports a writeback error only through descriptors that were open when it happened, so each file system is
/// opened before the first file in it is written. FUSE servers are not told of `syncfs`, and other file systems were
/// not tried: there each file is synced by itself.
package final class FileSystems: Sendable {
    private typealias Folder = (path: FilePath, open: OpenFolder)

    /// By device: a folder of each file system that is synced as a whole, nil for the others.
    private let folders = Mutex<[UInt64: Folder?]>([:])

    package init() {}

    /// Prepares for a file that will be written.
    ///
    /// - Parameters:
    ///   - path: a file in the same folder.
    ///   - device: the device of the file.
    /// - Returns: whether `sync` brings it to the disk; otherwise the file has to be synced by itself.
    package func willWrite(to path: FilePath, on device: UInt64) throws(Failure) -> Bool {
        try folders.withLock { folders throws(Failure) in
            if let known = folders[device] { return known != nil }
            let folder = try Failure.file("sync the directory of", path, OpenFolder(at: path.folder))
            let isReached = folder.isReadable && folder.descriptor.syncsAsAWhole
            folders[device] = .some(isReached ? (path.folder, folder) : nil)
            return isReached
        }
    }

    /// Waits until everything is on the disk in the file systems that are synced as a whole.
    ///
    /// - Returns: the failures by device: `file`, with a folder of the file system.
    package func sync() -> [UInt64: Failure] {
        folders.withLock { $0.compactMapValues(\.self) }.compactMapValues { folder in
            do throws(Failure) {
                try Failure.check("sync the file system of", folder.path) { folder.open.descriptor.syncFileSystem() }
                return nil
            } catch {
                return error
            }
        }
    }
}
