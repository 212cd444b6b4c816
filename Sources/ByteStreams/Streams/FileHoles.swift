internal import Glibc
internal import SystemPackage

/// Tells where a file has holes, which read as zeros and need not be read.
///
/// It asks the kernel once for each extent. On a file system that can't tell, the whole file is data.
package struct FileHoles: Sendable {
    private let descriptor: FileDescriptor
    /// The end of the file when it was opened.
    private let end: UInt64
    /// The last extents that were asked for: a hole up to the start of data, and the end of that data.
    private var known = (hole: UInt64(0)..<0, dataEnd: UInt64(0))

    /// Nil for a file that takes as much space on the disk as it has bytes: it has no holes.
    package init?(_ source: Source) {
        guard source.isFile, let size = source.size, source.identity.hasHoles else { return nil }
        (descriptor, end) = (source.descriptor, source.start + size)
    }

    /// Whether a range of the file is part of one hole. The descriptor may stand elsewhere afterwards.
    package mutating func contain(_ range: Range<UInt64>) -> Bool {
        if range.lowerBound >= known.dataEnd { look(at: range.lowerBound) }
        return known.hole.contains(range.lowerBound) && range.upperBound <= known.hole.upperBound
    }

    private mutating func look(at offset: UInt64) {
        guard let data = descriptor.data(from: offset) else {
            known = (offset..<offset, end)
            return
        }
        // A hole up to the end may belong to a file that has become shorter.
        let isShorter = data.isEmpty && lseek(descriptor.rawValue, 0, SEEK_END) < off_t(clamping: end)
        let hole = offset..<(isShorter ? offset : max(offset, min(data.lowerBound, end)))
        known = (hole, min(data.upperBound, end))
    }
}
