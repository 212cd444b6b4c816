internal import Glibc
internal import Synchronization
package import SystemPackage

/// The file systems that many small files are written to. Each is synced as a whole where that is known to work.
///
/// `syncfs` reports a writeback error only through descriptors that were open when it happened, so each file system is
/// opened before the first file on it is written. The kernel does not forward `syncfs` to FUSE servers, and other file
/// systems are untested: there each file is synced by itself.
package final class FileSystems: Sendable {
    /// How the files of a file system are synced.
    private enum Syncing {
        /// All at once, through this open folder, whose path is for messages.
        case together(FilePath, OpenFolder)
        case oneByOne
    }

    /// The file systems by device.
    private let systems = Mutex<[UInt64: Syncing]>([:])

    package init() {}

    /// Prepares for a file that is about to be written.
    ///
    /// - Parameters:
    ///   - path: the file, for messages.
    ///   - folder: its folder.
    ///   - device: the device of the file.
    /// - Returns: whether `sync` covers the file; otherwise it has to be synced by itself.
    package func willWrite(to path: FilePath, in folder: OpenFolder, on device: UInt64) throws(Failure) -> Bool {
        try systems.withLock { systems throws(Failure) in
            if case .together? = systems[device] { return true }
            if systems[device] != nil { return false }
            // Another descriptor: an error is reported once to each.
            let folder = try Failure.file("sync the directory of", path, folder.reopened())
            let syncsTogether = folder.isReadable && folder.descriptor.syncsAsAWhole
            systems[device] = syncsTogether ? .together(path.folder, folder) : .oneByOne
            return syncsTogether
        }
    }

    /// Waits until the file systems that are synced as a whole have written everything to disk.
    ///
    /// - Returns: the failures by device: `file`, with a folder of the file system.
    package func sync() -> [UInt64: Failure] {
        systems.withLock { $0 }.compactMapValues { syncing in
            guard case .together(let path, let folder) = syncing else { return nil }
            do throws(Failure) {
                try Failure.check("sync the file system of", path) { folder.descriptor.syncFileSystem() }
                return nil
            } catch {
                return error
            }
        }
    }
}
