import Dispatch
import Glibc
import ZstdCodec

@testable import Sluice

/// Bytes that compress to about half, the same for the same seed.
func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return [UInt8](unsafeUninitializedCapacity: count + 8) { memory, used in
        let raw = UnsafeMutableRawBufferPointer(memory)
        for offset in stride(from: 0, to: count, by: 8) {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            raw.storeBytes(of: state & 0x0F0F_0F0F_0F0F_0F0F, toByteOffset: offset, as: UInt64.self)
        }
        used = count
    }
}

/// One frame with this content.
func frame(_ content: [UInt8], level: Int = 1) throws -> [UInt8] {
    var compressor = try Compressor(CompressionOptions(level: level))
    var bytes = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
    let count = try content.withUnsafeBytes { content in
        try bytes.withUnsafeMutableBytes { try compressor.compress(content, into: $0) }
    }
    return Array(bytes[..<count])
}

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
    /// A copy of all the bytes.
    var elements: [UInt8] {
        var elements: [UInt8] = []
        data.enumerateBytes { region, _, _ in elements += region }
        return elements
    }

    /// These bytes, in regions of this many.
    init(_ elements: [UInt8], regions size: Int) {
        self.init()
        for start in stride(from: 0, to: elements.count, by: size) {
            append(Bytes(Array(elements[start..<Swift.min(start + size, elements.count)])))
        }
    }
}
