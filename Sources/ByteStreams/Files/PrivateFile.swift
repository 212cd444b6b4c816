internal import Glibc
package import SystemPackage

/// A file with a fixed name that is kept from one run to the next, accessible by its owner only.
package struct PrivateFile: Sendable {
    /// How often another process may create or remove the file before we give up.
    static let attempts = 100

    package let path: FilePath
    /// The folder of the file, even if its path later leads elsewhere.
    package let folder: OpenFolder

    package init(_ path: FilePath, in folder: OpenFolder) { (self.path, self.folder) = (path, folder) }

    /// Creates the file for reading and writing; nil if the name is taken.
    ///
    /// - Throws: `file`.
    func create() throws(Failure) -> FileDescriptor? {
        try ignoring(.fileExists, "create") { () throws(Errno) in try call(O_RDWR | O_CREAT | O_EXCL) }
    }

    /// Looks up the file of that name; nil if there is none.
    ///
    /// - Throws: `file`; `sharedLeftover` if it is not a regular file of ours with a single name.
    func find() throws(Failure) -> FileIdentity? {
        guard let name = path.lastComponent else { return nil }
        let file = try ignoring(.noSuchFileOrDirectory, "look at") { () throws(Errno) in try folder.entry(name) }
        if let file, !Self.isOurs(file) { throw .sharedLeftover(path) }
        return file
    }

    /// Opens the file for reading and writing; nil if there is none.
    ///
    /// - Parameter found: the result of `find`; nil to call it here.
    /// - Throws: `file`; `sharedLeftover` as with `find`, or if another user may open it.
    package func open(_ found: FileIdentity? = nil) throws(Failure) -> FileDescriptor? {
        let known = if let found { found } else { try find() }
        guard let found = known else { return nil }
        guard isPrivate(found) else { throw .sharedLeftover(path) }
        return try ignoring(.noSuchFileOrDirectory, "open") { () throws(Errno) in
            let descriptor = try call(O_RDWR)
            if let file = try? FileIdentity(descriptor), file.isSameFile(as: found), Self.isOurs(file) {
                return descriptor
            }
            try? descriptor.close()
            throw .noSuchFileOrDirectory
        }
    }

    /// The text of an open file, of at most `limit` bytes.
    static func text(
        _ descriptor: FileDescriptor, _ action: String, _ path: FilePath, limit: Int
    ) throws(Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try Failure.file(action, path, descriptor.fill(&bytes, from: 0))
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Removes the file, so that a new one can replace it: another user may have opened it while its mode allowed that.
    package func remove() throws(Failure) {
        guard let name = path.lastComponent else { return }
        _ = try ignoring(.noSuchFileOrDirectory, "remove") { () throws(Errno) in try folder.descriptor.remove(name) }
    }

    /// Whether this is a regular file that we own and that has only one hard link.
    private static func isOurs(_ file: FileIdentity) -> Bool {
        file.kind == .file && file.status.st_nlink == 1 && file.status.st_uid == geteuid()
    }

    /// Whether we own the file and no other user may open it.
    package func isPrivate(_ found: FileIdentity) -> Bool {
        if !Self.isOurs(found) { return false }
        if found.status.st_mode & 0o7777 == 0o600 { return true }
        // Some file systems give all files the same mode, so compare it with that of a new file.
        guard let sample = try? OutputFile(at: path, in: folder, isReplacing: false) else { return false }
        return (try? FileIdentity(sample.descriptor))?.status.st_mode == found.status.st_mode
    }

    /// Whether the name still belongs to an open file.
    package func isStill(_ descriptor: FileDescriptor) -> Bool {
        guard let name = path.lastComponent, let named = try? folder.entry(name, bypassingCache: false),
            let open = try? FileIdentity(descriptor)
        else { return false }
        return named.isSameFile(as: open)
    }

    private func call(_ flags: Int32) throws(Errno) -> FileDescriptor {
        guard let name = path.lastComponent else { throw .isDirectory }
        return try folder.descriptor.open(name, flags | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Runs a body; returns nil if it fails with the given error.
    private func ignoring<Result>(
        _ harmless: Errno, _ action: String, _ body: () throws(Errno) -> Result
    ) throws(Failure) -> Result? {
        do throws(Errno) { return try body() } catch {
            if error == harmless { return nil }
            throw .file(action: action, path: path, error)
        }
    }
}
