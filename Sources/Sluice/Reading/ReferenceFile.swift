internal import Glibc

/// A file that content is compared with. Any thread may read it at any place.
package final class ReferenceFile: Sendable {
    package let path: FilePath
    private let file: OpenFile

    /// - Throws: `file`, also for a FIFO or another file that can't be read at any place.
    package init(at path: FilePath) throws(Failure) {
        self.path = path
        // Checked first, because a sandbox only lets regular files be opened, and its error would say less.
        let kind = (try? FileIdentity(at: path))?.kind ?? .file
        guard kind == .file || kind == .device else {
            throw .file(action: "compare with", path: path, kind == .directory ? .isDirectory : .illegalSeek)
        }
        // O_NONBLOCK, so that opening doesn't wait for a writer if a FIFO has just taken its place.
        file = OpenFile(
            try Failure.file("open", path, FileDescriptor(opening: path, O_RDONLY | O_NOCTTY | O_NONBLOCK)))
    }

    /// Fills the memory from a place in the file.
    ///
    /// - Returns: how many bytes were read; fewer than the memory takes only at the end.
    /// - Throws: `file`.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Failure) -> Int {
        try Failure.file("read", path, file.descriptor.fill(memory, from: offset))
    }
}
