internal import Glibc
internal import SystemPackage

/// Says of an output that is kept unfinished how it is made, and keeps a second process from making it, too.
///
/// It is the file `.NAME.part.note` beside the output, locked (`flock`) as long as the value lives. The output is
/// `.NAME.part` until it has its name.
package final class ResumeNote: Sendable {
    /// A recipe has less, in bytes.
    private static let largest = 64 << 10

    private let descriptor: FileDescriptor
    private let name: FilePath.Component
    private let folder: OpenFolder
    /// The output that it is about.
    private let target: FilePath

    /// Locks the note of an output, which is empty if there was none.
    ///
    /// - Throws: `isBeingMade` if another process has it, `file`.
    init(for target: FilePath, in folder: OpenFolder) throws(Failure) {
        guard let name = Self.name(".note", of: target) else {
            throw .file(action: "create", path: target, .isDirectory)
        }
        let path = target.removingLastComponent().appending(name)
        for _ in 1...ResumableFile.attempts {
            let new = try ResumableFile.create(path, in: folder)
            let old = new == nil ? try ResumableFile.open(path, in: folder) : nil
            guard let descriptor = new ?? old else { continue }
            guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
                let error = Errno(rawValue: errno)
                try? descriptor.close()
                throw error == .wouldBlock ? .isBeingMade(target) : .file(action: "lock", path: target, error)
            }
            // Whoever had it before may have finished, and removed it, between the two calls.
            let isStill = ResumableFile.isStill(name, in: folder, descriptor)
            // What was empty may be somebody's to write, who opened it when its mode was another.
            let isUsed = try Self.look(at: descriptor, path).size > 0
            if isStill, isUsed || new != nil {
                (self.descriptor, self.name, self.folder, self.target) = (descriptor, name, folder, target)
                return
            }
            try? descriptor.close()
            if isStill { try ResumableFile.remove(path, in: folder) }
        }
        throw ResumableFile.refusal(path)
    }

    deinit { Glibc.close(descriptor.rawValue) }

    /// The name of what is kept beside an output; nil for what means a folder.
    static func name(_ suffix: String = "", of target: FilePath) -> FilePath.Component? {
        target.lastComponent?.between(".", and: ".part" + suffix)
    }

    /// Begins anew, with an output that nothing is in yet.
    ///
    /// - Throws: `file`.
    func begin(_ output: FileDescriptor) throws(Failure) { try write(Self.line(on: Self.look(at: output, target))) }

    private static func look(at file: FileDescriptor, _ path: FilePath) throws(Failure) -> FileIdentity {
        do throws(Errno) { return try FileIdentity(file) } catch { throw .file(action: "look at", path: path, error) }
    }

    /// How an output is made, empty if that is not said yet; nil if the note is on no output, or on another one that
    /// somebody may have put in its place.
    ///
    /// - Throws: `file`.
    package func recipe(of output: FileIdentity) throws(Failure) -> String? {
        let text = try text()
        guard text.hasPrefix("file "), let end = text.firstIndex(of: "\n") else { return nil }
        let isMeant = folder.isOurs || text[...end] == Self.line(on: output)
        return isMeant ? String(text[text.index(after: end)...]) : nil
    }

    /// Says how an output is made, and waits until that is on the disk: what comes into it after that is made so.
    ///
    /// - Throws: `file`.
    package func write(_ recipe: String, of output: FileIdentity) throws(Failure) {
        try write(Self.line(on: output) + recipe)
        try OutputFile.sync(descriptor, target, "sync the note on")
    }

    private static func line(on output: FileIdentity) -> String { "file \(output.number.inode)\n" }

    private func text() throws(Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: Self.largest)
        do throws(Errno) {
            let count = try descriptor.fill(&bytes, from: 0)
            return String(decoding: bytes[..<count], as: UTF8.self)
        } catch {
            throw .file(action: "read the note on", path: target, error)
        }
    }

    private func write(_ text: String) throws(Failure) {
        do throws(Errno) {
            try systemCall { ftruncate(descriptor.rawValue, 0) }
            try systemCall { lseek(descriptor.rawValue, 0, SEEK_SET) }
            try Array(text.utf8).span.bytes.withUnsafeBytes { bytes throws(Errno) in
                var rest = bytes
                try descriptor.writeEverything(&rest)
            }
        } catch {
            throw .file(action: "write the note on", path: target, error)
        }
    }

    /// No output was begun: a note that was made for it goes.
    func removeIfEmpty() {
        if (try? FileIdentity(descriptor))?.size == 0 { remove() }
    }

    /// The output has its name, and needs none any more.
    func remove() { try? folder.remove(name) }
}
