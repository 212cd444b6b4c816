internal import Glibc
package import SystemPackage

extension FileDescriptor {
    /// The current folder, for the calls that take an open one.
    package static let currentFolder = FileDescriptor(rawValue: AT_FDCWD)

    /// Opens what has a name in an open folder; the descriptor is closed on exec.
    ///
    /// - Parameter flags: as `openat` has them. A file that is created can be opened by its owner only.
    package init(
        opening path: FilePath, in folder: FileDescriptor = .currentFolder, _ flags: Int32
    ) throws(Errno) {
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

    /// Moves to a byte of the file.
    package func stand(at position: UInt64) throws(Errno) {
        try systemCall { Glibc.lseek(rawValue, off_t(clamping: position), SEEK_SET) }
    }

    /// Makes a file shorter.
    package func cut(to size: UInt64) throws(Errno) {
        try systemCall { ftruncate(rawValue, off_t(clamping: size)) }
    }

    /// Makes a file longer by a hole. Its last byte is written where a file system knows no other way.
    package func lengthen(to size: UInt64) throws(Errno) {
        do throws(Errno) { try cut(to: size) } catch {
            var zero: UInt8 = 0
            guard size > 0, Glibc.pwrite(rawValue, &zero, 1, off_t(clamping: size - 1)) == 1 else { throw error }
        }
    }

    /// Locks an open file (`flock`) until it is closed.
    ///
    /// - Returns: false where that can't be done, as on some file systems of networks.
    /// - Throws: `wouldBlock` if another process has locked it.
    package func lock() throws(Errno) -> Bool {
        do throws(Errno) { try systemCall { flock(rawValue, LOCK_EX | LOCK_NB) } } catch {
            if error == .wouldBlock { throw error }
            return false
        }
        return true
    }

    /// Reports the error of earlier writes that closing the file would, and closes it unless it stays open.
    package func endWriting(staysOpen: Bool) throws(Errno) {
        let closing = staysOpen ? Glibc.dup(rawValue) : rawValue
        if closing < 0 {
            // Without a descriptor to be closed, a sync reports the same errors.
            try systemCall { fsync(rawValue) }
        } else if Glibc.close(closing) != 0, errno != EINTR {
            // Linux has closed the descriptor also when it reports EINTR.
            throw Errno(rawValue: errno)
        }
    }

    /// Reads until the memory is full or the data ends.
    ///
    /// - Parameters:
    ///   - least: bytes that are enough; nil for a full memory.
    ///   - position: a byte of the file; nil for where the descriptor stands.
    /// - Returns: how many bytes were read.
    package func fill(
        _ memory: UnsafeMutableRawBufferPointer, atLeast least: Int? = nil, from position: UInt64? = nil
    ) throws(Errno) -> Int {
        var count = 0
        while count < least ?? memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let read = try systemCall {
                guard let position else { return Glibc.read(rawValue, rest.baseAddress, rest.count) }
                return Glibc.pread(rawValue, rest.baseAddress, rest.count, off_t(clamping: position + UInt64(count)))
            }
            if read == 0 { break }
            count += read
        }
        return count
    }

    /// The same, into the elements that an array has.
    package func fill(
        _ buffer: inout [UInt8], atLeast least: Int? = nil, from position: UInt64? = nil
    ) throws(Errno) -> Int {
        var span = buffer.mutableSpan
        return try span.withUnsafeMutableBytes { memory throws(Errno) in
            try fill(memory, atLeast: least, from: position)
        }
    }

    /// Writes everything; where a pipe does not block, waits until it has room.
    func writeEverything(_ bytes: Slice<UnsafeRawBufferPointer>) throws(Errno) {
        var rest = UnsafeRawBufferPointer(rebasing: bytes)
        while !rest.isEmpty {
            do throws(Errno) {
                let written = try systemCall { Glibc.write(rawValue, rest.baseAddress, rest.count) }
                // No file system may say that, and it would go on for ever.
                if written == 0 { throw .ioError }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            } catch .wouldBlock {
                var room = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                try systemCall { poll(&room, 1, -1) }
            }
        }
    }

    /// The same for bytes of an array.
    package func writeEverything(_ bytes: ArraySlice<UInt8>) throws(Errno) {
        try bytes.span.bytes.withUnsafeBytes { bytes throws(Errno) in try writeEverything(bytes[...]) }
    }
}
