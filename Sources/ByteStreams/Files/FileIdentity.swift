internal import CKernel
package import Glibc
package import SystemPackage

/// What a file was when it was looked at: which file it is, and whether it changed since.
package struct FileIdentity: Sendable {
    /// What something is that has a name, or is open.
    package enum Kind: Equatable, Sendable {
        case file, directory, device, fifo, socket, other
    }

    let status: stat

    /// Looks at an open file.
    package init(_ descriptor: FileDescriptor) throws(Errno) {
        var status = stat()
        try systemCall { fstat(descriptor.rawValue, &status) }
        self.status = status
    }

    /// What is in memory only.
    init() { status = stat() }

    /// Looks at a path, through a symbolic link or at the link itself.
    ///
    /// - Parameter isFresh: whether a file system on the network, or a FUSE server, is asked anew.
    package init(at path: FilePath, followingLinks: Bool = true, isFresh: Bool = false) throws(Errno) {
        let current = FileDescriptor(rawValue: AT_FDCWD)
        try self.init(at: path, in: current, followingLinks: followingLinks, isFresh: isFresh)
    }

    /// Looks at what has a name in an open folder; `AT_FDCWD` stands for the current one.
    ///
    /// - Parameter isFresh: whether a file system on the network, or a FUSE server, is asked anew.
    package init(
        at path: FilePath, in folder: FileDescriptor, followingLinks: Bool, isFresh: Bool = false
    ) throws(Errno) {
        if isFresh { path.withPlatformString { sluice_refresh_attributes(folder.rawValue, $0) } }
        var status = stat()
        try systemCall {
            path.withPlatformString {
                fstatat(folder.rawValue, $0, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
            }
        }
        self.status = status
    }

    /// What it is (`st_mode`).
    package var kind: Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFCHR, S_IFBLK: .device
        case S_IFIFO: .fifo
        case S_IFSOCK: .socket
        default: .other
        }
    }

    /// Whether it is a link itself, which was not followed.
    package var isSymbolicLink: Bool { status.st_mode & S_IFMT == S_IFLNK }

    /// Who may do what with it: the lowest nine bits.
    package var mode: UInt32 { status.st_mode & 0o777 }

    /// Bytes.
    package var size: UInt64 { UInt64(max(0, status.st_size)) }

    /// When its content changed last (`st_mtim`), as far as nobody set that time.
    package var modified: (seconds: Int64, nanoseconds: UInt32) {
        (Int64(status.st_mtim.tv_sec), UInt32(clamping: status.st_mtim.tv_nsec))
    }

    /// Whether less is on the disk than the file is long: parts of it have no data, or are stored in fewer bytes.
    var hasHoles: Bool { UInt64(max(0, status.st_blocks)) * 512 < size }

    /// The device of its file system.
    package var device: UInt64 { UInt64(status.st_dev) }

    /// Which file it is, by no name.
    package struct Number: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64

        /// Whether both are on one device.
        package func isOnSameDevice(as file: FileIdentity) -> Bool { device == file.device }
    }

    /// What no other file has at the same time (`st_dev`, `st_ino`).
    package var number: Number { Number(device: device, inode: UInt64(status.st_ino)) }

    /// Whether both are one file: names do not tell.
    package func isSameFile(as other: FileIdentity) -> Bool { number == other.number }

    /// The time of day, as files are given it: by a clock that goes in steps of some milliseconds.
    package static func now() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time
    }

    /// Whether the file was made, written or renamed at that time or later.
    package func hasChanged(since time: timespec) -> Bool {
        (status.st_ctim.tv_sec, status.st_ctim.tv_nsec) >= (time.tv_sec, time.tv_nsec)
    }

    /// Whether both are one file whose content has not changed, as far as its size and times tell.
    ///
    /// Whoever rewrites a file may set its modification time back, but not the time of its last change.
    package func isUnchanged(since other: FileIdentity) -> Bool {
        isUnwritten(since: other) && Self.areEqual(status.st_ctim, other.status.st_ctim)
    }

    /// The same where it may have been renamed, which is a change for most file systems.
    package func isUnwritten(since other: FileIdentity) -> Bool {
        isSameFile(as: other) && kind == other.kind && status.st_size == other.status.st_size
            && Self.areEqual(status.st_mtim, other.status.st_mtim)
    }

    private static func areEqual(_ first: timespec, _ second: timespec) -> Bool {
        first.tv_sec == second.tv_sec && first.tv_nsec == second.tv_nsec
    }
}
