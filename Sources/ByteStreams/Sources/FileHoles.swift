internal import CKernel
internal import Glibc
internal import SystemPackage

/// Knows where a file has no data, which reads as zeros and need not be read.
///
/// It asks the kernel once for each hole and each stretch of data; a file system that can't tell has data everywhere.
package struct FileHoles: Sendable {
    private let descriptor: FileDescriptor
    /// Where the file ended when it was looked at.
    private let end: UInt64
    /// The stretch that was asked about last: a hole up to where data begins, then data up to where that ends.
    private var known = (hole: UInt64(0)..<0, dataEnd: UInt64(0))

    /// Nil for what has as much on the disk as it is long: most files have no holes, and are asked nothing.
    package init?(_ source: Source) {
        guard source.isFile, let size = source.size, source.identity.hasHoles else { return nil }
        descriptor = source.descriptor
        end = source.start + size
    }

    /// Whether all these bytes lie in a hole.
    ///
    /// - Parameter range: offsets in the file. The descriptor may stand elsewhere afterwards.
    package mutating func contain(_ range: Range<UInt64>) -> Bool {
        if range.lowerBound >= known.dataEnd { look(at: range.lowerBound) }
        return known.hole.contains(range.lowerBound) && range.upperBound <= known.hole.upperBound
    }

    private mutating func look(at offset: UInt64) {
        let data = sluice_seek_data(descriptor.rawValue, Int64(clamping: offset))
        if data < 0 {
            // Either there is a hole up to the end, if that is still where it was, or nothing is known.
            let isHole = errno == ENXIO && lseek(descriptor.rawValue, 0, SEEK_END) >= off_t(clamping: end)
            known = (offset..<(isHole ? end : offset), end)
            return
        }
        let dataEnd = sluice_seek_hole(descriptor.rawValue, data)
        known = (offset..<max(offset, UInt64(data)), dataEnd < 0 ? end : UInt64(dataEnd))
    }
}
