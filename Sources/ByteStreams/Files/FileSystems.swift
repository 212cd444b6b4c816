internal import Glibc
internal import Synchronization
package import SystemPackage

/// The file systems that many small files are written to. Each is synced as a whole where that is known to work.
///
/// `syncfs` reports a writeback error only through descriptors that were open when it happened, so each file system is
/// opened before the first file on it is written. The kernel does not forward `syncfs` to FUSE servers, and other file
/// systems are untested: there each file is synced by itself.
package final class FileSystems: Sendable {
    private typealias Folder = (path: FilePath, open: OpenFolder)

    /// An open folder of each file system that is synced as a whole, by device; nil for the others.
    private let folders = Mutex<[UInt64: Folder?]>([:])

    package init() {}

    /// Prepares for a file that is about to be written.
    ///
    /// - Parameters:
    ///   - path: a file in the same folder.
    ///   - device: the device of the file.
    /// - Returns: whether `sync` covers the file; otherwise it has to be synced by itself.
    package func willWrite(to path: FilePath, on device: UInt64) throws(Failure) -> Bool {
        try folders.withLock { folders throws(Failure) in
            if let known = folders[device] { return known != nil }
            let folder = try Failure.file("sync the directory of", path, OpenFolder(at: path.folder))
            let isReached = folder.isReadable && folder.descriptor.syncsAsAWhole
            folders[device] = .some(isReached ? (path.folder, folder) : nil)
            return isReached
        }
    }

    /// Waits until the file systems that are synced as a whole have written everything to disk.
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
