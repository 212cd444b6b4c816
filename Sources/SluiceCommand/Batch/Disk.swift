import Sluice

/// Syncs the files of a batch; `FileSystems`, except in tests.
protocol Disk: Sendable {
    /// Notes a file that will be written, and returns whether `sync` will sync it.
    func willWrite(to path: FilePath, on device: UInt64) throws(Failure) -> Bool
    /// Waits until the content of all those files is on the disk; returns the failures by device.
    func sync() -> [UInt64: Failure]
    /// Waits until the names in the file's directory are on the disk.
    func syncFolder(of path: FilePath) throws(Failure)
}

extension FileSystems: Disk {
    func syncFolder(of path: FilePath) throws(Failure) { try OutputFile.syncFolder(of: path) }
}
