import Sluice
import SystemPackage

/// What brings the files of a batch to the disk, or says that it could not: `FileSystems`, but for tests.
protocol Disk: Sendable {
    /// Takes note of a file that will be written, and says whether `sync` brings it to the disk.
    func willWrite(to path: FilePath, on device: UInt64) throws(Failure) -> Bool
    /// Waits until the content of all those is on the disk, and says, by the device, why it is not.
    func sync() -> [UInt64: Failure]
    /// Waits until the names in the folder of a file are on the disk.
    func syncFolder(of path: FilePath) throws(Failure)
}

extension FileSystems: Disk {
    func syncFolder(of path: FilePath) throws(Failure) { try OutputFile.syncFolder(of: path) }
}
