internal import Glibc
package import SystemPackage

/// A file that holds what a content should be: it is read anywhere, by any thread.
package final class ReferenceFile: Sendable {
    /// As it is called in messages.
    package let path: FilePath
    private let descriptor: FileDescriptor

    /// Opens it.
    ///
    /// - Throws: `file`, also for what is read forward only, such as a FIFO.
    package init(at path: FilePath) throws(Failure) {
        self.path = path
        // A sandbox lets files be opened only, and would say less of what is none.
        let kind = (try? FileIdentity(at: path))?.kind ?? .file
        guard kind == .file || kind == .device else {
            throw .file(action: "compare with", path: path, kind == .directory ? .isDirectory : .illegalSeek)
        }
        // If it is a FIFO by now, nobody waits for its writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        descriptor = FileDescriptor(
            rawValue: try Failure.check("open", path) { path.withPlatformString { open($0, flags) } })
    }

    deinit { try? descriptor.close() }

    /// Reads what it has at a place.
    ///
    /// - Returns: how many bytes there are: fewer than the memory takes only at its end.
    /// - Throws: `file`.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Failure) -> Int {
        do throws(Errno) { return try descriptor.fill(memory, from: offset) } catch {
            throw .file(action: "read", path: path, error)
        }
    }
}
