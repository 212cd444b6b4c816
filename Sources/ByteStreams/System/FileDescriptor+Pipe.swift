internal import CKernel
internal import SystemPackage

extension FileDescriptor {
    /// Makes a pipe hold 1 MiB, the most that Linux allows everybody: processes at its ends take turns less often.
    ///
    /// - Returns: whether it is a pipe that holds that.
    @discardableResult func widenPipe() -> Bool { sluice_widen_pipe(rawValue, 1 << 20) >= 1 << 20 }
}
