internal import CKernel
internal import Glibc
internal import Synchronization
public import SystemPackage

/// The file systems that many small files are written to, to be synced all at once.
///
/// The kernel tells an error of writing back to those who had the file system open when it happened (`syncfs`), so each
/// is opened before the first file in it is written.
public final class FileSystems: Sendable {
    private let folders = Mutex<[UInt64: FileDescriptor]>([:])

    public init() {}

    deinit {
        for descriptor in folders.withLock({ $0.values }) { close(descriptor.rawValue) }
    }

    /// Takes note of a file that will be written.
    ///
    /// - Parameters:
    ///   - path: in whose folder it is.
    ///   - device: that the file is on.
    public func willWrite(to path: FilePath, on device: UInt64) throws(Failure) {
        try folders.withLock { folders throws(Failure) in
            if folders[device] == nil { folders[device] = try OutputFile.openFolder(of: path) }
        }
    }

    /// Waits until everything in them is on the disk.
    public func sync() throws(Errno) {
        for descriptor in folders.withLock({ Array($0.values) }) {
            while sluice_sync_file_system(descriptor.rawValue) != 0 {
                if errno != EINTR { throw Errno(rawValue: errno) }
            }
        }
    }
}
