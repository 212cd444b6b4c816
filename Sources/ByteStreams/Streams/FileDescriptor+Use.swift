internal import Glibc
internal import SystemPackage

extension FileDescriptor {
    /// What a run does with a descriptor.
    enum Use { case read, write }

    /// Refuses descriptors that can't be used so, for which a run might wait forever: the wrong end of a pipe never has
    /// anything, epoll and timers have no bytes, and the calls that would say so may come after the wait.
    ///
    /// - Throws: `badFileDescriptor` if it was opened for something else; `invalidArgument` for what has no bytes;
    ///   `socketNotConnected` for a socket that listens.
    func check(_ use: Use, _ kind: FileIdentity.Kind) throws(Errno) {
        let flags = try systemCall { fcntl(rawValue, F_GETFL) }
        // Descriptors of paths can do neither (O_PATH).
        let mode = flags & openedForPath != 0 ? -1 : flags & O_ACCMODE
        guard mode == O_RDWR || mode == (use == .read ? O_RDONLY : O_WRONLY) else { throw .badFileDescriptor }
        switch kind {
        case .file, .fifo, .device, .directory: return
        case .socket: if isListening { throw .socketNotConnected }
        case .link, .other: throw .invalidArgument
        }
    }

    private var isListening: Bool {
        var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(rawValue, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
    }
}

/// O_PATH, which Swift's Glibc module leaves out.
private let openedForPath: Int32 = 0o10000000
