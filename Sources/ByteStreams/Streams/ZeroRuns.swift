internal import Dispatch
internal import Glibc

/// Finds long runs of zeros, which a file may leave out.
package enum ZeroRuns {
    /// The unit of the search, in bytes: the block size of most file systems.
    private static let blockSize = 4096
    /// The shortest hole in bytes: each hole splits the data into one more write.
    static let shortest = 32 << 10

    /// The long runs of zeros, as ranges of offsets.
    package static func find(in region: RawSpan) -> [Range<Int>] { region.withUnsafeBytes(find) }

    private static func find(in region: UnsafeRawBufferPointer) -> [Range<Int>] {
        var holes: [Range<Int>] = []
        var position = 0
        while position < region.count {
            let start = position
            while position < region.count, isZero(region, at: position) { position += blockSize }
            let end = min(position, region.count)
            if end - start >= shortest { holes.append(start..<end) }
            // Most data has no zeros, and costs only one look at each block.
            while position < region.count, !isZero(region, at: position) { position += blockSize }
        }
        return holes
    }

    /// Whether a block is all zeros.
    private static func isZero(_ region: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard region[offset] == 0, let start = region.baseAddress?.advanced(by: offset) else { return false }
        // The first byte is zero, so all are if each equals the next.
        return memcmp(start, start + 1, min(blockSize, region.count - offset) - 1) == 0
    }
}

extension Bytes {
    /// The long runs of zeros in each region, as ranges of offsets.
    package var zeroRuns: [Range<Int>] {
        var holes: [Range<Int>] = []
        data.enumerateBytes { region, offset, _ in
            holes += ZeroRuns.find(in: region.span.bytes).map {
                $0.lowerBound + offset..<$0.upperBound + offset
            }
        }
        return holes
    }
}
