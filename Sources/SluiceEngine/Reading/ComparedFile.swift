internal import Glibc

/// A file that content is compared with. Any thread may read it at any place.
package final class ComparedFile: Sendable {
    package let path: FilePath
    private let source: Source
    /// Nil if the caller closes it.
    private let file: OpenFile?

    /// - Throws: `file`, also for a FIFO or another file that can't be read at any place.
    package convenience init(at path: FilePath) throws(Failure) {
        // Checked first, because a sandbox only lets regular files be opened, and its error would say less.
        let kind = (try? FileIdentity(at: path))?.kind ?? .file
        guard kind == .file || kind == .device else {
            throw .file(action: "compare with", path: path, kind == .directory ? .isDirectory : .illegalSeek)
        }
        // O_NONBLOCK, so that opening doesn't wait for a writer if a FIFO has just taken its place.
        let descriptor = try Failure.file("open", path, FileDescriptor(opening: path, O_RDONLY | O_NOCTTY | O_NONBLOCK))
        let file = OpenFile(descriptor)
        self.init(path, try Source(descriptor), file)
    }

    /// - Parameter source: the file, any byte of which can be read.
    package convenience init(at path: FilePath, _ source: Source) { self.init(path, source, nil) }

    private init(_ path: FilePath, _ source: Source, _ file: consuming OpenFile?) {
        self.path = path
        self.source = source
        self.file = file
    }

    /// Fills the memory from a place in the file.
    ///
    /// - Returns: how many bytes were read; fewer than the memory takes only at the end.
    /// - Throws: `file`, or what another origin throws.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Failure) -> Int {
        guard let descriptor = source.descriptor else {
            do throws(Failure) { return try source.fill(memory, from: offset) } catch { throw error.about(path) }
        }
        return try Failure.file("read", path, descriptor.fill(memory, from: offset))
    }
}

extension Failure {
    /// The same failure of a file that is neither the input nor the output, and has to be named.
    package func about(_ path: FilePath) -> Failure {
        Failure(code, "\(path.printable): \(message)", path: path, offset: offset.map { UInt64($0) }, cause: cause)
    }
}
