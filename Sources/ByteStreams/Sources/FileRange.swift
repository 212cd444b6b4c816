internal import CKernel
internal import SystemPackage

/// A stretch of a file, which a worker reads for itself.
///
/// libdispatch reads and writes the files of a disk one after another, on however many channels; `pread` does not wait.
package struct FileRange: Sendable {
    let descriptor: FileDescriptor
    /// Bytes before it in the file.
    package let start: UInt64
    package let count: Int
    /// Bytes of the whole input, as it was at the beginning, and how many of them come before this range.
    let inputSize: UInt64
    package let offset: UInt64

    /// Whether its ends lie in the page cache, and so most likely all of it.
    package var isCached: Bool {
        sluice_is_cached(descriptor.rawValue, Int64(start))
            && sluice_is_cached(descriptor.rawValue, Int64(start) + Int64(count) - 1)
    }

    /// Some of its bytes.
    package func part(_ part: Range<Int>) -> FileRange {
        FileRange(
            descriptor: descriptor, start: start + UInt64(part.lowerBound), count: part.count, inputSize: inputSize,
            offset: offset + UInt64(part.lowerBound))
    }

    /// Reads all of it into memory of that size.
    ///
    /// - Throws: `reading` or `sourceShrank`.
    package func read(into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        let filled = try Failure.reading { () throws(Errno) in
            try descriptor.fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), from: start)
        }
        if filled < count { throw .sourceShrank(expected: inputSize, read: offset + UInt64(filled)) }
    }
}

extension Source {
    /// A stretch of the file, counted from where its descriptor stood.
    package func range(_ range: Range<UInt64>) -> FileRange {
        FileRange(
            descriptor: descriptor, start: start + range.lowerBound, count: range.count, inputSize: size ?? 0,
            offset: range.lowerBound)
    }
}
