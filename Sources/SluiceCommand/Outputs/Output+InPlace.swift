import Glibc
import Sluice

/// Outputs that are written in place: FIFOs, devices, and descriptors that are already open.
extension Output {
    /// A descriptor that is already open is written from its position: opened anew, the file would be truncated, and
    /// written from its start.
    ///
    /// - Parameter waits: whether a FIFO may wait for its reader.
    static func openInPlace(
        _ path: FilePath, _ existing: FileIdentity, waits: Bool
    ) throws(Complaint) -> FileDescriptor {
        // With O_CREAT the kernel refuses files that another user has put into a world-writable directory
        // (protected_fifos, protected_regular).
        let flags =
            O_WRONLY | O_CLOEXEC | O_NOCTTY | (existing.kind == .file ? O_TRUNC : 0)
            | (existing.kind == .device ? 0 : O_CREAT)
        do throws(Errno) {
            if let own = ownDescriptor(path) {
                return FileDescriptor(rawValue: try systemCall { fcntl(own, F_DUPFD_CLOEXEC, 3) })
            }
            func call(_ more: Int32) throws(Errno) -> FileDescriptor {
                FileDescriptor(
                    rawValue: try systemCall { path.withPlatformString { open($0, flags | more, 0) } })
            }
            let descriptor = try waits ? call(0) : AuxiliaryFile.openToWrite(call)
            let opened = try FileIdentity(descriptor)
            // A new file may have the inode number of one that was removed.
            if opened.isSameFile(as: existing), opened.kind == existing.kind { return descriptor }
            try? descriptor.close()
            // The output was gone, and O_CREAT has made this empty file.
            if opened.kind == .file, opened.mode == 0, opened.size == 0 { _ = path.withPlatformString { unlink($0) } }
        } catch .noSuchAddressOrDevice where existing.kind == .fifo {
            throw Complaint(path, "is a FIFO that nobody reads")
        } catch {
            throw Complaint(path, "can't open: \(error.sentence)")
        }
        throw Complaint(path, "has just been replaced: nothing written")
    }

    /// The descriptor of this process that a path such as /dev/stdout or /dev/fd/7 denotes.
    private static func ownDescriptor(_ path: FilePath) -> Int32? {
        switch path {
        case "/dev/stdin": STDIN_FILENO
        case "/dev/stdout": STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        default:
            path.parent.listsOwnDescriptors
                ? path.lastComponent.flatMap { Int32($0.string) } : nil
        }
    }
}
