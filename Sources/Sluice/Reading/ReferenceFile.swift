internal import Glibc
package import SystemPackage

/// A file that content is compared with. Any thread may read it at any place.
package final class ReferenceFile: Sendable {
    package let path: FilePath
    private let descriptor: FileDescriptor

    /// - Throws: `file`, also for a FIFO or another file that can't be read at any place.
    package init(at path: FilePath) throws(Failure) {
        self.path = path
        // Checked first, because a sandbox only lets regular files be opened, and its error would say less.
        let kind = (try? FileIdentity(at: path))?.kind ?? .file
        guard kind == .file || kind == .device else {
            throw .file(action: "compare with", path: path, kind == .directory ? .isDirectory : .illegalSeek)
        }
        // O_NONBLOCK, so that a FIFO that takes its place meanwhile doesn't wait for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        descriptor = FileDescriptor(
            rawValue: try Failure.check("open", path) { path.withPlatformString { open($0, flags) } })
    }

    deinit { try? descriptor.close() }

    /// Fills the memory from a place in the file.
    ///
    /// - Returns: how many bytes were read; fewer than the memory takes only at the end.
    /// - Throws: `file`.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Failure) -> Int {
        do throws(Errno) { return try descriptor.fill(memory, from: offset) } catch {
            throw .file(action: "read", path: path, error)
        }
    }
}
