internal import CKernel
internal import Glibc
internal import Synchronization
package import SystemPackage

/// The file systems that many small files are written to, to be synced all at once where that reaches the disk.
///
/// The kernel tells an error of writing back to those who had the file system open when it happened (`syncfs`), so each
/// is opened before the first file in it is written. FUSE servers do not hear of it at all, and of file systems that
/// were not tried nothing is known: there each file is synced for itself.
package final class FileSystems: Sendable {
    private struct Folder {
        let path: FilePath
        let descriptor: FileDescriptor
    }

    /// By the device: a folder of each that is synced as a whole, nil for the others.
    private let folders = Mutex<[UInt64: Folder?]>([:])

    /// None yet.
    package init() {}

    deinit {
        for folder in folders.withLock({ $0.values.compactMap(\.self) }) { close(folder.descriptor.rawValue) }
    }

    /// Takes note of a file that will be written.
    ///
    /// - Parameters:
    ///   - path: in whose folder it is.
    ///   - device: that the file is on.
    /// - Returns: whether `sync` brings it to the disk; otherwise the file has to be synced for itself.
    package func willWrite(to path: FilePath, on device: UInt64) throws(Failure) -> Bool {
        try folders.withLock { folders throws(Failure) in
            if let known = folders[device] { return known != nil }
            let folder = try OutputFile.openFolder(of: path)
            let isReached = folder.map { sluice_syncs_as_a_whole($0.rawValue) } ?? false
            if let folder, !isReached { close(folder.rawValue) }
            folders[device] = .some(isReached ? folder.map { Folder(path: path.folder, descriptor: $0) } : nil)
            return isReached
        }
    }

    /// Waits until everything is on the disk in those that are synced as a whole.
    ///
    /// - Returns: by the device, why that failed: `file`, with a folder of the file system.
    package func sync() -> [UInt64: Failure] {
        folders.withLock { $0.compactMapValues(\.self) }.compactMapValues { folder in
            do throws(Failure) {
                try Failure.check("sync the file system of", folder.path) {
                    sluice_sync_file_system(folder.descriptor.rawValue)
                }
                return nil
            } catch {
                return error
            }
        }
    }
}
