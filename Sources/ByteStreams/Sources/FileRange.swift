internal import SystemPackage

/// A range of a file, which a worker reads itself: libdispatch serves all channels to one disk in turn, and `pread`
/// does not wait.
package struct FileRange: Sendable {
    let descriptor: FileDescriptor
    /// Bytes of the file before it.
    package let start: UInt64
    package let count: Int
    /// Bytes of the whole input when it was opened.
    let inputSize: UInt64
    /// Bytes of the input before it.
    package let offset: UInt64

    /// Whether both of its ends are in the page cache, and so most likely all of it.
    package var isCached: Bool {
        descriptor.isCached(at: start) && descriptor.isCached(at: start + UInt64(count) - 1)
    }

    package func subrange(_ range: Range<Int>) -> FileRange {
        FileRange(
            descriptor: descriptor, start: start + UInt64(range.lowerBound), count: range.count, inputSize: inputSize,
            offset: offset + UInt64(range.lowerBound))
    }

    /// Reads all of it.
    ///
    /// - Throws: `reading`, `sourceShrank`.
    package func read(into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        let filled = try Failure.reading(
            descriptor.fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), from: start))
        if filled < count { throw .sourceShrank(expected: inputSize, read: offset + UInt64(filled)) }
    }
}

extension Source {
    /// A range of the file, counted from where the source starts.
    package func range(_ range: Range<UInt64>) -> FileRange {
        FileRange(
            descriptor: descriptor, start: start + range.lowerBound, count: range.count, inputSize: size ?? 0,
            offset: range.lowerBound)
    }
}
