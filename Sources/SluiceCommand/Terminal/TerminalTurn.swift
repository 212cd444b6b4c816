import Glibc

/// Decides which of the processes on a terminal draws its progress: one at a time. Processes that know their total go
/// first, and among equals the one that began first.
///
/// The turn is a lock on two bytes of the terminal, invisible to other programs. The kernel releases it when a process
/// ends in any way.
enum TerminalTurn {
    /// A process that knows its total locks the first byte. Others lock the second, and give way.
    private static let (known, unknown) = (off_t(1), off_t(0))

    /// Takes or keeps the turn.
    ///
    /// - Parameter knowsEnd: whether this process knows its total.
    /// - Returns: whether this process has the turn, as far as can be determined.
    static func take(knowsEnd: Bool) -> Bool {
        guard isatty(STDERR_FILENO) == 1 else { return true }
        return knowsEnd ? lock(known) : !isLocked(known) && lock(unknown)
    }

    /// Releases the turn.
    static func giveBack() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        for byte in [known, unknown] { _ = call(F_SETLK, F_UNLCK, byte) }
    }

    /// Without support for locks, each process draws as if alone.
    private static func lock(_ byte: off_t) -> Bool {
        call(F_SETLK, F_WRLCK, byte) != nil || errno != EAGAIN && errno != EACCES
    }

    private static func isLocked(_ byte: off_t) -> Bool {
        call(F_GETLK, F_WRLCK, byte).map { Int32($0.l_type) != F_UNLCK } ?? false
    }

    /// Calls fcntl for a process lock: `flock` and locks of a description would belong to all processes that inherited
    /// it.
    private static func call(_ command: Int32, _ type: Int32, _ byte: off_t) -> flock? {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (byte, 1)
        return fcntl(STDERR_FILENO, command, &lock) == 0 ? lock : nil
    }
}
