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
        while true {
            let descriptor = try KeptFile.open(name, in: folder, for: target)
            guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
                let error = Errno(rawValue: errno)
                try? descriptor.close()
                throw error == .wouldBlock ? .isBeingMade(target) : .file(action: "lock", path: target, error)
            }
            // Whoever had it before may have finished, and removed it, between the two calls.
            if KeptFile.isStill(name, in: folder, descriptor) {
                (self.descriptor, self.name, self.folder, self.target) = (descriptor, name, folder, target)
                return
            }
            try? descriptor.close()
        }
    }

    deinit { Glibc.close(descriptor.rawValue) }

    /// The name of what is kept beside an output; nil for what means a folder.
    static func name(_ suffix: String = "", of target: FilePath) -> FilePath.Component? {
        target.lastComponent.flatMap { FilePath.Component(".\($0.string).part\(suffix)") }
    }

    /// What is written there; nil for nothing.
    ///
    /// - Throws: `file`.
    package func text() throws(Failure) -> String? {
        var bytes = [UInt8](repeating: 0, count: Self.largest)
        do throws(Errno) {
            let count = try descriptor.fill(&bytes, from: 0)
            return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
        } catch {
            throw .file(action: "read the note on", path: target, error)
        }
    }

    /// Writes that, and waits until it is on the disk: what comes into the output after it is made so.
    ///
    /// - Throws: `file`.
    package func write(_ text: String) throws(Failure) {
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
        try OutputFile.sync(descriptor, target, "sync the note on")
    }

    /// The output has its name, and needs none any more.
    func remove() { try? folder.remove(name) }
}
