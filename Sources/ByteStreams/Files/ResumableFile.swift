internal import Glibc
package import SystemPackage

/// A file with a fixed name that is kept from one run to the next, accessible by its owner only.
package struct ResumableFile: Sendable {
    /// How often another process may create or remove the file before we give up.
    static let attempts = 100

    package let path: FilePath
    /// The folder of the file, even if its path leads elsewhere by then.
    package let folder: OpenFolder

    package init(_ path: FilePath, in folder: OpenFolder) { (self.path, self.folder) = (path, folder) }

    /// Creates the file for reading and writing; nil if the name is taken.
    ///
    /// - Throws: `file`.
    func create() throws(Failure) -> FileDescriptor? {
        try unless(.fileExists, "create") { () throws(Errno) in try call(O_RDWR | O_CREAT | O_EXCL) }
    }

    /// Looks up the file of that name; nil if there is none.
    ///
    /// - Throws: `file`; `sharedLeftover` if others may have access to it.
    func find() throws(Failure) -> FileIdentity? {
        guard let name = path.lastComponent else { return nil }
        let file = try unless(.noSuchFileOrDirectory, "look at") { () throws(Errno) in try folder.entry(name) }
        if let file, !Self.isOurs(file) { throw .sharedLeftover(path) }
        return file
    }

    /// Opens the file for reading and writing; nil if there is none.
    ///
    /// - Parameter found: the result of `find`; nil to call it here.
    /// - Throws: `file`; `sharedLeftover` if others may have access to it, or may read it.
    package func open(_ found: FileIdentity? = nil) throws(Failure) -> FileDescriptor? {
        let known = if let found { found } else { try find() }
        guard let found = known else { return nil }
        guard isPrivate(found) else { throw .sharedLeftover(path) }
        return try unless(.noSuchFileOrDirectory, "open") { () throws(Errno) in
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

    /// Removes the file so that a new one can replace it: while its mode allowed that, another user may have opened it.
    package func remove() throws(Failure) {
        guard let name = path.lastComponent else { return }
        _ = try unless(.noSuchFileOrDirectory, "remove") { () throws(Errno) in try folder.descriptor.remove(name) }
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
        guard let sample = try? OutputFile(at: path, isReplacing: false) else { return false }
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
    private func unless<Result>(
        _ harmless: Errno, _ action: String, _ body: () throws(Errno) -> Result
    ) throws(Failure) -> Result? {
        do throws(Errno) { return try body() } catch {
            if error == harmless { return nil }
            throw .file(action: action, path: path, error)
        }
    }
}

/// The file `.NAME.part.note` beside an unfinished output `.NAME.part`, which records how the output is made. While the
/// value lives, the file is locked (`flock`) where that is possible, so that no second process writes the output.
package final class ResumeNote: Sendable {
    /// The upper bound of a note's size, in bytes.
    private static let largest = 64 << 10

    private let locked: OpenFile
    /// False where locks are not supported. Then the process that came last puts its mark in the note, and only that
    /// one gives the output its name: any of them may have truncated the output or started it over.
    package let isLocked: Bool
    private let mark = "held \(String((try? randomBits()) ?? UInt64(getpid()), radix: 36))\n"
    private let file: ResumableFile
    /// The output's final name.
    private let target: FilePath

    /// Locks the note of an output, or creates an empty note.
    ///
    /// - Throws: `isBeingMade` if another process has locked it; `file`, `sharedLeftover`.
    init(for target: FilePath, in folder: OpenFolder) throws(Failure) {
        guard let name = Self.name(".note", of: target) else {
            throw .file(action: "create", path: target, .isDirectory)
        }
        let file = ResumableFile(target.parent.appending(name), in: folder)
        for _ in 1...ResumableFile.attempts {
            let new = try file.create()
            let opened = if let new { new } else { try file.open() }
            guard let opened else { continue }
            let locked = OpenFile(opened)
            let isLocked: Bool
            do throws(Errno) { isLocked = try opened.lock() } catch { throw .isBeingMade(target) }
            // Its former owner may have removed the note between the two calls.
            let isStill = file.isStill(opened)
            // While its mode allowed that, another user may have opened an empty note, and could write to it later.
            let isUsed = try Self.look(at: opened, file.path).size > 0
            if isStill, isUsed || new != nil {
                (self.file, self.target, self.isLocked) = (file, target, isLocked)
                self.locked = locked
                return
            }
            if isStill { try file.remove() }
        }
        throw .sharedLeftover(file.path)
    }

    private var descriptor: FileDescriptor { locked.descriptor }

    /// The name of a file that is kept beside an output; nil for a path that names a folder.
    static func name(_ suffix: String = "", of target: FilePath) -> FilePath.Component? {
        target.lastComponent?.between(".", and: ".part" + suffix)
    }

    /// Whether the unfinished output still exists under its own name.
    package var hasOutput: Bool {
        guard let name = Self.name(of: target) else { return false }
        return (try? file.folder.entry(name)) != nil
    }

    /// Starts over with an empty output.
    ///
    /// - Throws: `file`.
    func begin(_ output: FileDescriptor) throws(Failure) { try write(Self.line(on: Self.look(at: output, target))) }

    private static func look(at file: FileDescriptor, _ path: FilePath) throws(Failure) -> FileIdentity {
        try Failure.file("look at", path, FileIdentity(file))
    }

    /// How an output is made: empty if the note does not say yet; nil if it is missing or about another output.
    ///
    /// - Throws: `file`.
    package func recipe(of output: FileIdentity) throws(Failure) -> String? {
        let text = try text()
        guard text.hasPrefix("file "), let end = text.firstIndex(of: "\n") else { return nil }
        let isMeant = file.folder.isOurs || text[...end] == Self.line(on: output)
        return isMeant ? String(Self.unmarked(text)[text.index(after: end)...]) : nil
    }

    /// Records how an output is made, and waits until that is on disk. Only then may the output be written.
    ///
    /// - Throws: `file`.
    package func write(_ recipe: String, of output: FileIdentity) throws(Failure) {
        try write(Self.line(on: output) + recipe)
        try OutputFile.sync(descriptor, target, "sync the note on")
    }

    /// The text of a note without the mark of a process.
    private static func unmarked(_ text: String) -> Substring {
        guard text.hasSuffix("\n") else { return text[...] }
        let rest = text.dropLast()
        let start = rest.lastIndex(of: "\n").map { rest.index(after: $0) } ?? rest.startIndex
        return rest[start...].hasPrefix("held ") ? rest[..<start] : text[...]
    }

    private func text() throws(Failure) -> String {
        try ResumableFile.text(descriptor, "read the note on", target, limit: Self.largest)
    }

    /// Marks the output as made by this value, if it can't be locked.
    ///
    /// - Throws: `file`.
    func hold() throws(Failure) {
        if !isLocked { try replace(from: Self.unmarked(text()).utf8.count, by: mark) }
    }

    /// Checks that no other process has started to make the output, where it can't be locked.
    ///
    /// - Throws: `isBeingMade`, `file`.
    func checkHold(of output: FileDescriptor) throws(Failure) {
        guard !isLocked, let name = Self.name(of: target) else { return }
        let isOurs = ResumableFile(target.parent.appending(name), in: file.folder).isStill(output)
        guard isOurs, try text().hasSuffix(mark) else { throw .isBeingMade(target) }
    }

    private static func line(on output: FileIdentity) -> String { "file \(output.number.inode)\n" }

    private func write(_ text: String) throws(Failure) {
        try Failure.file("write the note on", target, descriptor.truncate(to: 0))
        try replace(from: 0, by: isLocked ? text : text + mark)
    }

    /// Replaces the note from a byte to its end.
    private func replace(from start: Int, by text: String) throws(Failure) {
        let (action, bytes) = ("write the note on", Array(text.utf8))
        try Failure.file(action, target, descriptor.stand(at: UInt64(start)))
        try Failure.file(action, target, descriptor.writeEverything(bytes[...]))
        try Failure.file(action, target, descriptor.truncate(to: UInt64(start + bytes.count)))
    }

    /// Removes a note for which no output was started.
    func removeIfEmpty() {
        if (try? FileIdentity(descriptor))?.size == 0 { remove() }
    }

    /// Removes an output with nothing to resume, and then its note.
    func removeBegun(_ path: FilePath, _ output: FileDescriptor) {
        let begun = ResumableFile(path, in: file.folder)
        guard (try? FileIdentity(output))?.size == 0, begun.isStill(output) else { return }
        do throws(Failure) { try begun.remove() } catch { return }
        remove()
    }

    func remove() { try? file.remove() }
}
