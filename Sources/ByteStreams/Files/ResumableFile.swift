internal import Glibc
package import SystemPackage

/// A file that is kept from one run to the next, under a fixed name, readable by its owner only.
package enum ResumableFile {
    /// How many times the name may change hands before we give up.
    static let attempts = 100

    /// Creates it, to be read and written; nil if something has the name.
    ///
    /// - Throws: `file`.
    static func create(_ path: FilePath, in folder: OpenFolder) throws(Failure) -> FileDescriptor? {
        do throws(Errno) { return try call(path, in: folder, O_RDWR | O_CREAT | O_EXCL) } catch .fileExists {
            return nil
        } catch {
            throw .file(action: "create", path: path, error)
        }
    }

    /// What has the name; nil for nothing.
    ///
    /// - Throws: `file`, also if it is not ours alone.
    package static func find(_ path: FilePath, in folder: OpenFolder) throws(Failure) -> FileIdentity? {
        let file: FileIdentity
        do throws(Errno) {
            file = try FileIdentity(at: name(of: path), in: folder.descriptor, followingLinks: false, isFresh: true)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw .file(action: "look at", path: path, error)
        }
        guard isOurs(file) else { throw refusal(path) }
        return file
    }

    /// Opens what has the name, mostly to be read and written; nil if there is nothing.
    ///
    /// - Throws: `file`, also if it is not ours alone, or more may read it.
    static func open(
        _ path: FilePath, in folder: OpenFolder, _ access: Int32 = O_RDWR
    ) throws(Failure) -> FileDescriptor? {
        guard let found = try find(path, in: folder) else { return nil }
        return try open(found, path, in: folder, access)
    }

    /// Opens what was found, mostly to be read and written; nil if it is gone.
    ///
    /// - Throws: `file`, also if more may read it.
    static func open(
        _ found: FileIdentity, _ path: FilePath, in folder: OpenFolder, _ access: Int32 = O_RDWR
    ) throws(Failure) -> FileDescriptor? {
        guard isPrivate(found, at: path) else { throw refusal(path) }
        do throws(Errno) {
            let descriptor = try call(path, in: folder, access)
            if let file = try? FileIdentity(descriptor), file.isSameFile(as: found), isOurs(file) { return descriptor }
            try? descriptor.close()
            return nil
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw .file(action: "open", path: path, error)
        }
    }

    /// Reads the text of a file that only we can read or write; nil if there is none.
    ///
    /// - Parameters:
    ///   - offset: where that begins.
    ///   - limit: it has no more bytes.
    /// - Throws: `file`, also if another user owns the file.
    package static func text(
        _ path: FilePath, in folder: OpenFolder, from offset: UInt64 = 0, limit: Int
    ) throws(Failure) -> String? {
        guard let descriptor = try open(path, in: folder, O_RDONLY) else { return nil }
        defer { try? descriptor.close() }
        var bytes = [UInt8](repeating: 0, count: limit)
        do throws(Errno) {
            let count = try descriptor.fill(&bytes, from: offset)
            return String(decoding: bytes[..<count], as: UTF8.self)
        } catch {
            throw .file(action: "read", path: path, error)
        }
    }

    /// Removes the file found, so that a new one can replace it. Another user may have opened it while its mode allowed
    /// that.
    static func remove(_ path: FilePath, in folder: OpenFolder) throws(Failure) {
        guard let name = path.lastComponent else { return }
        do throws(Errno) { try folder.remove(name) } catch .noSuchFileOrDirectory {} catch {
            throw .file(action: "remove", path: path, error)
        }
    }

    /// Why something that is not ours alone is left alone.
    package static func refusal(_ path: FilePath) -> Failure { .sharedLeftover(path) }

    /// Whether it is a regular file that we own and that has no other hard link.
    package static func isOurs(_ file: FileIdentity) -> Bool {
        file.kind == .file && file.status.st_nlink == 1 && file.status.st_uid == geteuid()
    }

    /// Whether we own the file and no other user may open it.
    ///
    /// - Parameter path: its own, or one beside: some file systems have one mode for all files.
    package static func isPrivate(_ file: FileIdentity, at path: FilePath) -> Bool {
        if !isOurs(file) { return false }
        if file.status.st_mode & 0o7777 == 0o600 { return true }
        guard let sample = try? TemporaryFile(for: path, isNamed: false) else { return false }
        return (try? FileIdentity(sample.descriptor))?.status.st_mode == file.status.st_mode
    }

    private static func call(
        _ path: FilePath, in folder: OpenFolder, _ flags: Int32
    ) throws(Errno) -> FileDescriptor {
        let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        return FileDescriptor(
            rawValue: try systemCall {
                name(of: path).withPlatformString { openat(folder.descriptor.rawValue, $0, flags, 0o600) }
            })
    }

    private static func name(of path: FilePath) -> FilePath { FilePath(root: nil, path.components.suffix(1)) }

    /// Whether the name still leads to the file that is open.
    package static func isStill(_ name: FilePath.Component, in folder: OpenFolder, _ descriptor: FileDescriptor) -> Bool
    {
        let named = try? FileIdentity(at: FilePath(root: nil, [name]), in: folder.descriptor, followingLinks: false)
        guard let named, let open = try? FileIdentity(descriptor) else { return false }
        return named.isSameFile(as: open)
    }
}
