package import Glibc
package import SystemPackage

/// The state of a file at one time (`stat`): identifies the file, and shows later whether it has changed.
package struct FileIdentity: Sendable {
    package enum Kind: UInt8, Sendable {
        case file, directory, link, device, fifo, socket, other
    }

    let status: stat

    /// Looks at an open file.
    ///
    /// - Parameter bypassingCache: whether to pass over the attribute cache of network file systems and FUSE.
    package init(_ descriptor: FileDescriptor, bypassingCache: Bool = false) throws(Errno) {
        if bypassingCache { descriptor.refreshAttributes(of: "") }
        var status = stat()
        try systemCall { fstat(descriptor.rawValue, &status) }
        self.status = status
    }

    /// A placeholder for bytes in memory.
    init() { status = stat() }

    /// Identifies something that is not a file, among others of its kind.
    package init(number: Int) {
        var status = stat()
        // No device of the kernel has this number.
        status.st_dev = .max
        status.st_ino = ino_t(number)
        self.status = status
    }

    /// Looks up a path, or a name in an open folder.
    ///
    /// - Parameters:
    ///   - followingLinks: false to look at a symbolic link itself.
    ///   - bypassingCache: whether to pass over the attribute cache of network file systems and FUSE.
    package init(
        at path: FilePath, in folder: FileDescriptor = .currentFolder, followingLinks: Bool = true,
        bypassingCache: Bool = false
    ) throws(Errno) {
        if bypassingCache { folder.refreshAttributes(of: path) }
        var status = stat()
        try systemCall {
            path.withPlatformString {
                fstatat(folder.rawValue, $0, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
            }
        }
        self.status = status
    }

    package var kind: Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .link
        case S_IFCHR, S_IFBLK: .device
        case S_IFIFO: .fifo
        case S_IFSOCK: .socket
        default: .other
        }
    }

    /// Whether this is a symbolic link that was not followed.
    package var isSymbolicLink: Bool { kind == .link }

    /// The permission bits.
    package var mode: UInt32 { status.st_mode & 0o777 }

    /// The size in bytes.
    package var size: UInt64 { UInt64(max(0, status.st_size)) }

    /// The modification time (`st_mtim`), which programs can set to any value.
    package var modified: (seconds: Int64, nanoseconds: UInt32) {
        (Int64(status.st_mtim.tv_sec), UInt32(clamping: status.st_mtim.tv_nsec))
    }

    /// Whether the file takes less space on disk than its size: it has holes, or is stored compressed.
    var hasHoles: Bool { UInt64(max(0, status.st_blocks)) * 512 < size }

    package var device: UInt64 { UInt64(status.st_dev) }

    /// Identifies a file independently of its names.
    package struct Number: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    /// Unique among all files that exist at the same time (`st_dev`, `st_ino`).
    package var number: Number { Number(device: device, inode: UInt64(status.st_ino)) }

    /// Whether the file has several names.
    package var hasOtherNames: Bool { status.st_nlink > 1 }

    /// Whether both are the same file, whatever their names.
    package func isSameFile(as other: FileIdentity) -> Bool { number == other.number }

    /// Inode, size and times, as a text: another one if the file was written, also with its modification time set back.
    package var state: String {
        let (written, changed) = (status.st_mtim, status.st_ctim)
        return "\(status.st_ino) \(size) \(written.tv_sec).\(written.tv_nsec) \(changed.tv_sec).\(changed.tv_nsec)"
    }

    /// The current time by the clock of file timestamps, which advances in steps of some milliseconds.
    package static func now() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time
    }

    /// Whether the file was created, written or renamed at that time or later.
    package func hasChanged(since time: timespec) -> Bool {
        (status.st_ctim.tv_sec, status.st_ctim.tv_nsec) >= (time.tv_sec, time.tv_nsec)
    }

    /// Whether the last status change was between those of two other states, or at the time of one.
    package func changed(from first: FileIdentity, to last: FileIdentity) -> Bool {
        hasChanged(since: first.status.st_ctim) && last.hasChanged(since: status.st_ctim)
    }

    /// Whether both are the same file with unchanged content, judging by size and times. A program can set the
    /// modification time back, but not the time of the last status change.
    package func isUnchanged(since other: FileIdentity) -> Bool {
        let (time, otherTime) = (status.st_ctim, other.status.st_ctim)
        return isUnwritten(since: other) && (time.tv_sec, time.tv_nsec) == (otherTime.tv_sec, otherTime.tv_nsec)
    }

    /// Like `isUnchanged`, for a file that may have been renamed: most file systems count that as a status change.
    package func isUnwritten(since other: FileIdentity) -> Bool {
        isSameFile(as: other) && kind == other.kind && status.st_size == other.status.st_size
            && modified == other.modified
    }
}
