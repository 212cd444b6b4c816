import Dispatch
import Glibc
import ZstdCodec

@testable import Sluice

/// A frame of repeated blocks: four bytes for each 128 KiB, without a checksum.
func repeatedFrame(blocks: Int, contentSize: UInt64? = nil) -> [UInt8] {
    let block: [UInt8] = [0b010, 0, 0x10, 0]
    // Window 1 MiB; with a content size, of eight bytes.
    var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, contentSize == nil ? 0 : 0b1100_0000, 10 << 3]
    if let contentSize { withUnsafeBytes(of: contentSize.littleEndian) { bytes += $0 } }
    for _ in 0..<blocks - 1 { bytes += block }
    return bytes + [0b011] + block.dropFirst()
}

extension [UInt8] {
    /// Equality at the speed of the C library, and without printing megabytes when it fails.
    func isSame(as other: [UInt8]) -> Bool {
        count == other.count && (isEmpty || memcmp(self, other, count) == 0)
    }

    /// Whether the other begins with these bytes.
    func isPrefix(of other: [UInt8]) -> Bool {
        count <= other.count && (isEmpty || memcmp(self, other, count) == 0)
    }
}

extension Bytes {
    /// These bytes, in regions of this many.
    init(_ elements: [UInt8], regions size: Int) {
        self.init()
        for start in stride(from: 0, to: elements.count, by: size) {
            append(Bytes(Array(elements[start..<Swift.min(start + size, elements.count)])))
        }
    }
}
