import SluiceEngine
import Synchronization
import SystemPackage

@testable import SluiceCommand

/// A disk that fails on request, and at which somebody may look when something is brought to it.
final class WatchedDisk: Disk {
    private let syncFailure: Errno?
    private let folderFailures: [FilePath: Errno]
    private let look: @Sendable (String) -> Void
    private let devices = Mutex<Set<UInt64>>([])

    /// - Parameters:
    ///   - syncFailure: of every file system.
    ///   - folderFailures: of folders, by their paths.
    ///   - look: told what is about to be done: "write", "sync" or "sync folder".
    init(
        syncFailure: Errno? = nil, folderFailures: [FilePath: Errno] = [:],
        look: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.syncFailure = syncFailure
        self.folderFailures = folderFailures
        self.look = look
    }

    func willWrite(to path: FilePath, in folder: OpenFolder, on device: UInt64) throws(Failure) -> Bool {
        look("write")
        devices.withLock { _ = $0.insert(device) }
        return true
    }

    func sync() -> [UInt64: Failure] {
        look("sync")
        guard let syncFailure else { return [:] }
        return devices.withLock { devices in
            Dictionary(uniqueKeysWithValues: devices.map { ($0, .file(action: "sync", path: "disk", syncFailure)) })
        }
    }

    func sync(_ folder: OpenFolder, of path: FilePath) throws(Failure) {
        look("sync folder")
        if let error = folderFailures[path.folder] { throw .file(action: "sync the directory of", path: path, error) }
    }
}
