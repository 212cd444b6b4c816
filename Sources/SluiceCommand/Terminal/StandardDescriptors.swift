import Glibc
import Sluice
import Synchronization
import SystemPackage

/// Standard input, output and error as they were at the start, and are again at the end.
///
/// Dispatch sets O_NONBLOCK on the open file description, which the shell and other processes share.
enum StandardDescriptors {
    /// Of 0, 1 and 2; negative if there are none.
    private static let flags = Mutex<[Int32]>([])

    /// Opens /dev/null in the place of those that are closed, lest a file that is opened gets their number; then saves
    /// the flags of all.
    static func prepare() {
        let current = (0..<Int32(3)).map { descriptor in
            // The wrong way round: whoever reads or writes one that was closed is told so.
            if fcntl(descriptor, F_GETFD) < 0, errno == EBADF {
                _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
            }
            return fcntl(descriptor, F_GETFL)
        }
        flags.withLock { $0 = current }
    }

    /// Puts the saved flags back.
    static func restore() {
        let saved = flags.withLock { $0 }
        for (descriptor, value) in saved.enumerated() where value >= 0 { _ = fcntl(Int32(descriptor), F_SETFL, value) }
    }

    static func isTerminal(_ descriptor: FileDescriptor) -> Bool { isatty(descriptor.rawValue) == 1 }

    /// Whether another program is at the other end.
    static func isPipe(_ descriptor: FileDescriptor) -> Bool {
        [.fifo, .socket].contains((try? FileIdentity(descriptor))?.kind)
    }
}
