internal import Glibc
internal import Synchronization
package import SystemPackage

/// A text in a file with a fixed name, accessible by its owner only, about something that is not complete. While the
/// value lives, the file is locked (`flock`) where that is possible, so that no second process goes on with the same.
package final class LockedNote: Sendable {
    /// The upper bound of a note's size, in bytes.
    private static let largest = 64 << 10

    private let locked: OpenFile
    /// False where locks are not supported.
    package let isLocked: Bool
    let file: PrivateFile
    /// What it is about, by its name in failures.
    private let target: FilePath
    private let isRemoved = Mutex(false)

    /// Locks a note, or creates an empty one.
    ///
    /// - Parameters:
    ///   - path: of the note.
    ///   - folder: of the note.
    ///   - target: what it is about, by its name in failures.
    /// - Throws: `isBeingMade` if another process has locked it; `file`, `sharedLeftover`.
    package init(at path: FilePath, in folder: OpenFolder, about target: FilePath) throws(Failure) {
        let file = PrivateFile(path, in: folder)
        for _ in 1...PrivateFile.attempts {
            let new = try file.create()
            let opened = if let new { new } else { try file.open() }
            guard let opened else { continue }
            let locked = OpenFile(opened)
            let isLocked: Bool
            do throws(Errno) { isLocked = try opened.lock() } catch { throw .isBeingMade(target) }
            // The process that had locked the note before may have removed it between the two calls.
            let isStill = file.isStill(opened)
            // Another user may have opened an empty note while its mode allowed that, and could write to it later.
            let isUsed = try Failure.file("look at", path, FileIdentity(opened)).size > 0
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

    package func text() throws(Failure) -> String {
        try PrivateFile.text(descriptor, "read the note on", target, limit: Self.largest)
    }

    /// Replaces the text.
    ///
    /// - Throws: `file`.
    package func write(_ text: String) throws(Failure) {
        try Failure.file("write the note on", target, descriptor.truncate(to: 0))
        try replace(from: 0, by: text)
    }

    /// Replaces the text from a byte to its end.
    func replace(from start: Int, by text: String) throws(Failure) {
        let (action, bytes) = ("write the note on", Array(text.utf8))
        try Failure.file(action, target, descriptor.stand(at: UInt64(start)))
        try Failure.file(action, target, descriptor.writeEverything(bytes[...]))
        try Failure.file(action, target, descriptor.truncate(to: UInt64(start + bytes.count)))
    }

    /// Waits until the text is on disk.
    package func sync() throws(Failure) { try OutputFile.sync(descriptor, target, "sync the note on") }

    /// Waits until its name is on disk.
    package func syncName() throws(Failure) { try file.folder.sync(for: file.path) }

    /// Removes a note without a text.
    package func removeIfEmpty() {
        if (try? FileIdentity(descriptor))?.size == 0 { remove() }
    }

    /// Removes the note, once: later another process may have made its own.
    package func remove() {
        let isFirst = isRemoved.withLock { isRemoved in
            defer { isRemoved = true }
            return !isRemoved
        }
        // Somebody may have removed it, and another process may have made its own.
        if isFirst, file.isStill(descriptor) { try? file.remove() }
    }
}
