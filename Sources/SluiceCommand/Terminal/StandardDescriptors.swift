import Glibc
import SluiceEngine
import Synchronization

/// Restores standard input, output and error at the end as they were at the start.
///
/// Dispatch sets O_NONBLOCK on the open file descriptions, which the shell and other processes share.
enum StandardDescriptors {
    /// The flags of descriptors 0, 1 and 2; negative if closed.
    private static let flags = Mutex<[3 of Int32]>([-1, -1, -1])

    /// Opens /dev/null for closed descriptors, so that no file gets their number; then saves the flags of all.
    static func prepare() {
        let current = [3 of Int32] { index in
            let descriptor = Int32(index)
            // In the wrong direction, so that reading or writing a closed descriptor fails.
            if fcntl(descriptor, F_GETFD) < 0, errno == EBADF {
                _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
            }
            return fcntl(descriptor, F_GETFL)
        }
        flags.withLock { $0 = current }
    }

    /// Restores the saved flags.
    static func restore() {
        let saved = flags.withLock { $0 }
        for index in saved.indices where saved[index] >= 0 { _ = fcntl(Int32(index), F_SETFL, saved[index]) }
    }

    static func isTerminal(_ descriptor: FileDescriptor) -> Bool { isatty(descriptor.rawValue) == 1 }

    /// Whether the descriptor is connected to another program.
    static func isPipe(_ descriptor: FileDescriptor) -> Bool {
        [.fifo, .socket].contains((try? FileIdentity(descriptor))?.kind)
    }
}
