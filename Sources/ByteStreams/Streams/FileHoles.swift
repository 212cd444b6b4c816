internal import Glibc
internal import SystemPackage

/// Finds the holes of a file, which read as zeros and need not be read.
///
/// It asks the kernel once per extent. Where the file system can't report holes, the whole file counts as data.
package struct FileHoles: Sendable {
    private let descriptor: FileDescriptor
    /// The end of the file when it was opened.
    private let end: UInt64
    /// The last extents that were looked up: a hole up to the start of data, and the end of that data.
    private var known = (hole: UInt64(0)..<0, dataEnd: UInt64(0))

    /// Nil for a file without holes, which takes at least as much space on disk as its size.
    package init?(_ source: Source) {
        guard source.isFile, let descriptor = source.descriptor, let size = source.size, source.identity.hasHoles
        else { return nil }
        (self.descriptor, end) = (descriptor, source.start + size)
    }

    /// Whether a range of the file lies in one hole. The call may move the descriptor.
    package mutating func contain(_ range: Range<UInt64>) -> Bool {
        if range.lowerBound >= known.dataEnd { look(at: range.lowerBound) }
        return known.hole.contains(range.lowerBound) && range.upperBound <= known.hole.upperBound
    }

    private mutating func look(at offset: UInt64) {
        guard let data = descriptor.data(from: offset) else {
            known = (offset..<offset, end)
            return
        }
        // If only a hole seems to follow, the file may have become shorter instead.
        let isShorter = data.isEmpty && lseek(descriptor.rawValue, 0, SEEK_END) < off_t(clamping: end)
        let hole = offset..<(isShorter ? offset : max(offset, min(data.lowerBound, end)))
        known = (hole, min(data.upperBound, end))
    }
}
