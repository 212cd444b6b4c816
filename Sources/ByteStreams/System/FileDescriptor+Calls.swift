internal import CKernel
internal import Glibc
package import SystemPackage

extension FileDescriptor {
    /// The current folder, for calls that take an open one.
    package static let currentFolder = FileDescriptor(rawValue: AT_FDCWD)

    /// Opens a name in an open folder; the descriptor is closed on exec.
    ///
    /// - Parameter flags: those of `openat`. A new file is accessible by its owner only.
    package init(opening path: FilePath, in folder: FileDescriptor = .currentFolder, _ flags: Int32) throws(Errno) {
        self.init(
            rawValue: try systemCall {
                path.withPlatformString { openat(folder.rawValue, $0, flags | O_CLOEXEC, 0o600) }
            })
    }

    package func open(_ name: FilePath.Component, _ flags: Int32) throws(Errno) -> FileDescriptor {
        try FileDescriptor(opening: FilePath(root: nil, [name]), in: self, flags)
    }

    /// Removes a name in this folder.
    func remove(_ name: FilePath.Component) throws(Errno) {
        try systemCall { name.withPlatformString { unlinkat(rawValue, $0, 0) } }
    }

    /// Renames within this folder.
    func rename(_ name: FilePath.Component, to other: FilePath.Component, isReplacing: Bool = true) throws(Errno) {
        try systemCall {
            name.withPlatformString { name in
                other.withPlatformString { other in
                    isReplacing ? renameat(rawValue, name, rawValue, other) : renameExclusively(name, to: other)
                }
            }
        }
    }

    /// Another descriptor of the same file, with the same position, that is closed on exec.
    package func duplicated() throws(Errno) -> FileDescriptor {
        FileDescriptor(rawValue: try systemCall { fcntl(rawValue, F_DUPFD_CLOEXEC, 3) })
    }

    /// The position in the file; negative if it has none.
    var position: off_t { Glibc.lseek(rawValue, 0, SEEK_CUR) }

    /// Moves to an offset in the file.
    package func stand(at position: UInt64) throws(Errno) {
        try systemCall { Glibc.lseek(rawValue, off_t(clamping: position), SEEK_SET) }
    }

    /// Makes a file shorter.
    package func truncate(to size: UInt64) throws(Errno) {
        try systemCall { ftruncate(rawValue, off_t(clamping: size)) }
    }

    /// Lengthens a file with a hole. Where the file system does not support that, it writes the last byte.
    package func lengthen(to size: UInt64) throws(Errno) {
        do throws(Errno) { try truncate(to: size) } catch {
            var zero: UInt8 = 0
            guard size > 0, Glibc.pwrite(rawValue, &zero, 1, off_t(clamping: size - 1)) == 1 else { throw error }
        }
    }

    /// Locks an open file (`flock`) until it is closed.
    ///
    /// - Parameter patience: how long to wait for another process's lock: one that was killed has it until the kernel
    ///   has taken it down.
    /// - Returns: false where locks are not supported, as on some network file systems.
    /// - Throws: `wouldBlock` if another process has locked it.
    package func lock(within patience: Duration = .seconds(1)) throws(Errno) -> Bool {
        let end = ContinuousClock.now + patience
        while true {
            do throws(Errno) {
                try systemCall { flock(rawValue, LOCK_EX | LOCK_NB) }
                return true
            } catch {
                guard error == .wouldBlock else { return false }
                if ContinuousClock.now >= end { throw error }
            }
            usleep(20_000)
        }
    }

    /// Reports the errors of earlier writes that closing the file would, and closes it unless it stays open.
    package func endWriting(staysOpen: Bool) throws(Errno) {
        let closing = staysOpen ? Glibc.dup(rawValue) : rawValue
        if closing < 0 {
            // If no descriptor is left for that, a sync reports the same errors.
            try systemCall { fsync(rawValue) }
        } else if Glibc.close(closing) != 0, errno != EINTR {
            // Linux has closed the descriptor even if it reports EINTR.
            throw Errno(rawValue: errno)
        }
    }

    /// Reads until the memory is full, or enough of it, or the data ends.
    ///
    /// - Parameters:
    ///   - least: how many bytes are enough; nil to fill the memory.
    ///   - position: the offset in the file; nil for the descriptor's position.
    /// - Returns: the number of bytes read.
    package func fill(
        _ memory: UnsafeMutableRawBufferPointer, atLeast least: Int? = nil, from position: UInt64? = nil
    ) throws(Errno) -> Int {
        var count = 0
        while count < least ?? memory.count {
            let rest = memory.extracting(count...)
            let read = try systemCall {
                guard let position else { return Glibc.read(rawValue, rest.baseAddress, rest.count) }
                return Glibc.pread(rawValue, rest.baseAddress, rest.count, off_t(clamping: position + UInt64(count)))
            }
            if read == 0 { break }
            count += read
        }
        return count
    }

    /// Reads into the existing elements of an array.
    package func fill(
        _ buffer: inout [UInt8], atLeast least: Int? = nil, from position: UInt64? = nil
    ) throws(Errno) -> Int {
        var span = buffer.mutableSpan
        return try span.withUnsafeMutableBytes { memory throws(Errno) in
            try fill(memory, atLeast: least, from: position)
        }
    }

    /// Writes everything. If the descriptor is non-blocking, waits until it has room.
    func writeEverything(_ bytes: RawSpan) throws(Errno) {
        var rest = bytes
        while !rest.isEmpty {
            do throws(Errno) {
                let written = try rest.withUnsafeBytes { rest throws(Errno) in
                    try systemCall { Glibc.write(rawValue, rest.baseAddress, rest.count) }
                }
                // No file system may return 0 here; ignoring that would loop forever.
                if written == 0 { throw .ioError }
                rest = rest.extracting(droppingFirst: written)
            } catch .wouldBlock {
                var room = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                try systemCall { poll(&room, 1, -1) }
            }
        }
    }

    /// Writes all bytes of a slice of an array.
    package func writeEverything(_ bytes: ArraySlice<UInt8>) throws(Errno) {
        try writeEverything(bytes.span.bytes)
    }
}

extension FileDescriptor {
    /// Whether a byte of a file is in the page cache; false at the end of the file, and where that is unknown. If it is
    /// not, the kernel may start to read it.
    func isCached(at offset: UInt64) -> Bool { sluice_is_cached(rawValue, Int64(clamping: offset)) }

    /// The first extent of data at or after an offset; the descriptor moves.
    ///
    /// - Returns: an empty range at `Int64.max` if only a hole follows; nil where the file system can't report extents.
    package func data(from offset: UInt64) -> Range<UInt64>? {
        let start = sluice_seek_data(rawValue, Int64(clamping: offset))
        guard start >= 0 else { return errno == ENXIO ? UInt64(Int64.max)..<UInt64(Int64.max) : nil }
        let end = sluice_seek_hole(rawValue, start)
        return UInt64(start)..<(end < start ? UInt64(Int64.max) : UInt64(end))
    }

    /// Copies bytes of a file to the position of another one, inside the kernel; returns how many, 0 if it can't.
    func copy(_ count: Int, from offset: UInt64, to other: FileDescriptor) -> Int {
        let copied = try? systemCall { sluice_copy_range(rawValue, Int64(clamping: offset), other.rawValue, count) }
        return copied.map { Int($0) } ?? 0
    }

    /// Makes the kernel start to write a range of a file to disk.
    func startWriteback(_ range: Range<Int64>) {
        sluice_start_writeback(rawValue, range.lowerBound, range.upperBound - range.lowerBound)
    }

    /// Whether writes to a file may bypass the page cache if their memory, length and offset are multiples of the
    /// alignment: the file system reports so, and no limit on file sizes can make them shorter.
    ///
    /// False for a descriptor that appends, or whose writes already bypass it.
    func takesDirectWrites(alignment: Int) -> Bool { sluice_takes_direct_writes(rawValue, UInt32(alignment)) }

    /// Makes writes bypass the page cache (`O_DIRECT`), or go through it again.
    package func setDirectWrites(_ areDirect: Bool) throws(Errno) {
        guard sluice_set_direct_writes(rawValue, areDirect) >= 0 else { throw Errno(rawValue: errno) }
    }

    /// Enlarges a pipe to 1 MiB, the most that Linux allows every user, so that the processes at its ends switch less
    /// often.
    ///
    /// - Returns: whether this is a pipe that now holds 1 MiB. Anything else is left unchanged.
    @discardableResult func widenPipe() -> Bool { sluice_widen_pipe(rawValue, 1 << 20) >= 1 << 20 }

    /// Whether a pipe holds bytes, or is open for writing.
    package var isWritten: Bool { sluice_is_written(rawValue) }

    /// Whether a read returns at once, even if only to report the end of the data.
    package var isReadable: Bool {
        var entry = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Whether a pipe or socket has no readers any more.
    var isAbandoned: Bool {
        var entry = pollfd(fd: rawValue, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLERR | POLLHUP) != 0
    }

    /// Makes reads and writes block, after the file was opened with `O_NONBLOCK`.
    package func setWaiting() {
        let flags = fcntl(rawValue, F_GETFL)
        if flags >= 0 { _ = fcntl(rawValue, F_SETFL, flags & ~O_NONBLOCK) }
    }

    /// A path that leads to what is open, whatever its name; without /proc to nothing.
    var pathOfOpenFile: String { "/proc/self/fd/\(rawValue)" }

    /// Opens the pipe or terminal of a descriptor again, for non-blocking writes; nil without /proc.
    func reopened() -> FileDescriptor? {
        try? FileDescriptor(opening: FilePath(pathOfOpenFile), O_WRONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// Whether the file system is one whose `syncfs` is known to reach the disk and to report its errors.
    var syncsAsAWhole: Bool { sluice_syncs_as_a_whole(rawValue) }

    /// Waits until the file system of an open file is on disk; returns less than 0 on failure.
    func syncFileSystem() -> Int32 { sluice_sync_file_system(rawValue) }

    /// Copies another file's extended attributes of the user namespace, and its access control list. A list that this
    /// file has from its folder is removed.
    ///
    /// - Parameters:
    ///   - keepsAccessList: false to lose the list.
    ///   - common: the rights that all but the owner have by the source's mode, then by its list.
    /// - Returns: what could not be copied, as bits (`SLUICE_LOST_ATTRIBUTES` and others).
    func copyAttributes(of source: FileDescriptor, keepsAccessList: Bool, common: inout mode_t) -> Int32 {
        sluice_copy_attributes(source.rawValue, rawValue, keepsAccessList, &common)
    }

    /// The rights (0 to 7) that the access control list gives to all but the owner; all without one.
    var rightsByList: mode_t { sluice_common_rights(rawValue) }

    /// Removes the access control list that a file or folder has from its own folder; false if it stays.
    func removeAccessList() -> Bool { sluice_remove_access_list(rawValue) }

    /// The most that this folder's default access control list allows the mode of a new file; nil without one.
    var inheritedMode: mode_t? { mode_t(exactly: sluice_inherited_mode(rawValue)) }
}

/// Opens a folder, to call functions on the names in it.
///
/// - Returns: whether it may also be read, and so be synced, and `hasUnnamedFiles`.
func openFolder(
    _ path: FilePath, in start: FileDescriptor = .currentFolder, followingLinks: Bool = true
) throws(Errno) -> (descriptor: FileDescriptor, isReadable: Bool, hasUnnamedFiles: Bool) {
    var isReadable = false
    let descriptor = try systemCall {
        path.withPlatformString { sluice_open_folder(start.rawValue, $0, followingLinks, &isReadable) }
    }
    let folder = FileDescriptor(rawValue: descriptor)
    return (folder, isReadable, folder.hasUnnamedFiles)
}

/// Calls on names in an open folder.
extension FileDescriptor {
    /// Creates an unnamed file in this folder, accessible by its owner only; nil if that fails.
    func createUnnamed(isReadable: Bool) -> FileDescriptor? {
        let file = sluice_create_unnamed(rawValue, isReadable)
        return file < 0 ? nil : FileDescriptor(rawValue: file)
    }

    /// Whether this folder supports O_TMPFILE files that can be linked later and survive a power cut with their
    /// content.
    var hasUnnamedFiles: Bool { sluice_has_unnamed_files(rawValue) }

    /// Whether names can only be added to this folder (`chattr +a`).
    var isAppendOnly: Bool { sluice_is_append_only(rawValue) }

    /// Gives an unnamed file a name in this folder; fails with `EEXIST` if the name is taken.
    func link(_ file: FileDescriptor, as name: FilePath.Component) throws(Errno) {
        try systemCall { name.withPlatformString { sluice_link_unnamed(file.rawValue, rawValue, $0) } }
    }

    /// Renames within this folder; returns less than 0 on failure, with `EEXIST` if the new name is taken.
    func renameExclusively(_ name: UnsafePointer<CChar>, to other: UnsafePointer<CChar>) -> Int32 {
        sluice_rename_exclusively(rawValue, name, other)
    }

    /// Makes a network file system, or a FUSE server, look up again the attributes of a name in this folder, or of this
    /// file if the name is empty.
    func refreshAttributes(of path: FilePath) { path.withPlatformString { sluice_refresh_attributes(rawValue, $0) } }
}

extension UnsafeMutableRawBufferPointer {
    /// A part of the memory; `RawSpan` has the same for bytes that are only read.
    @inlinable package func extracting(_ range: some RangeExpression<Int>) -> Self { Self(rebasing: self[range]) }
}
