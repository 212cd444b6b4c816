internal import Glibc
internal import SystemPackage

/// The file `.NAME.part.note` beside an unfinished output `.NAME.part`, which records how the output is made. While the
/// value lives, the file is locked (`flock`) where that is possible, so that no second process writes the output.
package final class ResumeNote: Sendable {
    private let note: LockedNote
    private let mark = "held \(String((try? randomBits()) ?? UInt64(getpid()), radix: 36))\n"
    /// The output's final name.
    private let target: FilePath

    /// Locks the note of an output, or creates an empty note.
    ///
    /// - Throws: `isBeingMade` if another process has locked it; `file`, `sharedLeftover`.
    init(for target: FilePath, in folder: OpenFolder) throws(Failure) {
        guard let name = Self.name(".note", of: target) else {
            throw .file(action: "create", path: target, .isDirectory)
        }
        note = try LockedNote(at: target.parent.appending(name), in: folder, about: target)
        self.target = target
    }

    /// False where locks are not supported. Then the process that came last puts its mark in the note, and only that
    /// one gives the output its name: any of them may have truncated the output or started it over.
    package var isLocked: Bool { note.isLocked }
    private var folder: OpenFolder { note.file.folder }

    /// The name of a file that is kept beside an output; nil for a path that names a folder.
    static func name(_ suffix: String = "", of target: FilePath) -> FilePath.Component? {
        target.lastComponent?.between(".", and: ".part" + suffix)
    }

    /// Whether the unfinished output still exists under its own name.
    package var hasOutput: Bool {
        guard let name = Self.name(of: target) else { return false }
        return (try? folder.entry(name)) != nil
    }

    /// Clears the note, and records which file the new, empty output is.
    ///
    /// - Throws: `file`.
    func begin(_ output: FileDescriptor) throws(Failure) { try write(Self.line(on: Self.look(at: output, target))) }

    private static func look(at file: FileDescriptor, _ path: FilePath) throws(Failure) -> FileIdentity {
        try Failure.file("look at", path, FileIdentity(file))
    }

    /// The description of how an output is made; empty if it is not recorded yet, nil if the note is empty or about
    /// another output.
    ///
    /// - Throws: `file`.
    package func recipe(of output: FileIdentity) throws(Failure) -> String? {
        let text = try note.text()
        guard text.hasPrefix("file "), let end = text.firstIndex(of: "\n") else { return nil }
        // A folder that only we may write to may have been copied with its files, which changes their inodes.
        let isMeant = folder.isOurs || text[...end] == Self.line(on: output)
        return isMeant ? String(Self.unmarked(text)[text.index(after: end)...]) : nil
    }

    /// Records how an output is made, and waits until that is on disk. Only then may the output be written.
    ///
    /// - Throws: `file`.
    package func write(_ recipe: String, of output: FileIdentity) throws(Failure) {
        try write(Self.line(on: output) + recipe)
        try note.sync()
    }

    /// The text of a note without the mark of a process.
    private static func unmarked(_ text: String) -> Substring {
        guard text.hasSuffix("\n") else { return text[...] }
        let rest = text.dropLast()
        let start = rest.lastIndex(of: "\n").map { rest.index(after: $0) } ?? rest.startIndex
        return rest[start...].hasPrefix("held ") ? rest[..<start] : text[...]
    }

    /// Puts our mark in the note if it can't be locked.
    ///
    /// - Throws: `file`.
    func hold() throws(Failure) {
        if !isLocked { try note.replace(from: Self.unmarked(note.text()).utf8.count, by: mark) }
    }

    /// Checks, if the note can't be locked, that no other process has started on the output since `mark` was written.
    ///
    /// - Throws: `isBeingMade`, `file`.
    func checkHold(of output: FileDescriptor) throws(Failure) {
        guard !isLocked, let name = Self.name(of: target) else { return }
        let isOurs = PrivateFile(target.parent.appending(name), in: folder).isStill(output)
        guard isOurs, try note.text().hasSuffix(mark) else { throw .isBeingMade(target) }
    }

    private static func line(on output: FileIdentity) -> String { "file \(output.number.inode)\n" }

    private func write(_ text: String) throws(Failure) { try note.write(isLocked ? text : text + mark) }

    /// Removes a note for which no output was started.
    func removeIfEmpty() { note.removeIfEmpty() }

    /// Removes an output with nothing to resume, and then its note.
    func removeBegun(_ path: FilePath, _ output: FileDescriptor) {
        let begun = PrivateFile(path, in: folder)
        guard (try? FileIdentity(output))?.size == 0, begun.isStill(output) else { return }
        do throws(Failure) { try begun.remove() } catch { return }
        remove()
    }

    func remove() { note.remove() }
}
