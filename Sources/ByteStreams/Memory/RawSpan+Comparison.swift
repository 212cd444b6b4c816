internal import Glibc

extension RawSpan {
    /// The length of the common prefix with another region, in bytes.
    package func sameBytes(as other: RawSpan) -> Int {
        withUnsafeBytes { own in other.withUnsafeBytes { own.sameBytes(as: $0) } }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func sameBytes(as other: UnsafeRawBufferPointer) -> Int {
        let count = Swift.min(self.count, other.count)
        guard count > 0, let own = baseAddress, let others = other.baseAddress else { return 0 }
        if memcmp(own, others, count) == 0 { return count }
        var same = 0
        while same + 8 <= count {
            let ones = loadUnaligned(fromByteOffset: same, as: UInt64.self)
            let difference = ones ^ other.loadUnaligned(fromByteOffset: same, as: UInt64.self)
            // The first byte is the least significant one.
            if difference != 0 { return same + UInt64(littleEndian: difference).trailingZeroBitCount / 8 }
            same += 8
        }
        while self[same] == other[same] { same += 1 }
        return same
    }
}
