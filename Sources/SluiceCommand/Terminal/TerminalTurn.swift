import Glibc

/// Which of the processes that share a terminal draws its progress there: one at a time. Those that know how much
/// there is go first, and of these, or the others, the one that began first.
///
/// It is a lock on two bytes of the terminal itself, which other programs do not feel. The kernel takes it back from a
/// process that ends, in whatever way.
enum TerminalTurn {
    /// Who knows how much there is locks this byte, and who does not the other, and gives way.
    private static let (known, unknown) = (off_t(1), off_t(0))

    /// Takes the turn, or keeps it.
    ///
    /// - Parameter knowsEnd: whether this process knows how much there is.
    /// - Returns: whether no other process has it, as far as can be told.
    static func take(knowsEnd: Bool) -> Bool {
        guard isatty(STDERR_FILENO) == 1 else { return true }
        return knowsEnd ? lock(known) : !isLocked(known) && lock(unknown)
    }

    /// Lets another process have it.
    static func giveBack() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        for byte in [known, unknown] { _ = call(F_SETLK, F_UNLCK, byte) }
    }

    /// Where there are no locks each draws as if it were alone.
    private static func lock(_ byte: off_t) -> Bool {
        call(F_SETLK, F_WRLCK, byte) != nil || errno != EAGAIN && errno != EACCES
    }

    private static func isLocked(_ byte: off_t) -> Bool {
        call(F_GETLK, F_WRLCK, byte).map { Int32($0.l_type) != F_UNLCK } ?? false
    }

    /// Not `flock`, and no lock of a description: those would belong to all processes that have inherited this one.
    private static func call(_ command: Int32, _ type: Int32, _ byte: off_t) -> flock? {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (byte, 1)
        return fcntl(STDERR_FILENO, command, &lock) == 0 ? lock : nil
    }
}
