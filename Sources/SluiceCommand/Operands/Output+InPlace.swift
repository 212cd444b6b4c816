import Glibc
import Sluice
import SystemPackage

/// What is no file of its own: FIFOs, devices, and what is open elsewhere.
extension Output {
    /// What is open elsewhere is written from where it stands: opened anew it would be cut, and written from its start.
    static func openInPlace(_ path: FilePath, _ existing: FileIdentity) throws(Complaint) -> FileDescriptor {
        // If it might be made, the kernel refuses what another user has put into a folder where everybody may
        // (protected_fifos, protected_regular).
        let flags =
            O_WRONLY | O_CLOEXEC | O_NOCTTY | (existing.kind == .file ? O_TRUNC : 0)
            | (existing.kind == .device ? 0 : O_CREAT)
        do throws(Errno) {
            if let own = ownDescriptor(path) {
                return FileDescriptor(rawValue: try systemCall { fcntl(own, F_DUPFD_CLOEXEC, 3) })
            }
            let descriptor = FileDescriptor(rawValue: try systemCall { path.withPlatformString { open($0, flags, 0) } })
            let opened = try FileIdentity(descriptor)
            // The number of what has gone may be given to what is made.
            if opened.isSameFile(as: existing), opened.kind == existing.kind { return descriptor }
            try? descriptor.close()
            // It had gone, and this is what was made.
            if opened.kind == .file, opened.mode == 0, opened.size == 0 { _ = path.withPlatformString { unlink($0) } }
        } catch {
            throw Complaint(path, "can't open: \(error.sentence)")
        }
        throw Complaint(path, "is not what it was a moment ago: nothing is written to it")
    }

    /// The descriptor of this process that a path such as /dev/stdout or /dev/fd/7 stands for.
    private static func ownDescriptor(_ path: FilePath) -> Int32? {
        switch path {
        case "/dev/stdin": STDIN_FILENO
        case "/dev/stdout": STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        default:
            path.removingLastComponent().listsOwnDescriptors
                ? path.lastComponent.flatMap { Int32($0.string) } : nil
        }
    }
}
