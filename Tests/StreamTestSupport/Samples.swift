package import ByteStreams
internal import Glibc

/// Whether there is time for every place and all repetitions: `scripts/test --long`.
public let isLong = getenv("SLUICE_TESTS").map { String(cString: $0) } == "long"

/// Bytes that compress to about half, the same for the same seed.
public func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return [UInt8](unsafeUninitializedCapacity: count + 8) { memory, used in
        let raw = UnsafeMutableRawBufferPointer(memory)
        // Loops of this kind are the quick ones without optimization.
        var offset = 0
        while offset < count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            raw.storeBytes(of: state & 0x0F0F_0F0F_0F0F_0F0F, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        used = count
    }
}

/// Bytes that repeat what came before, from near and far, the same for the same seed.
public func patchwork(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    let noise = sample(count, seed: seed)
    var bytes = Array(noise.prefix(count / 16))
    var state = seed | 1
    while bytes.count < count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let length = min(count - bytes.count, 3 + Int(state >> 40) % 60)
        let start = Int(state >> 33) % max(1, bytes.count - length)
        bytes += bytes[start..<min(bytes.count, start + length)] + [UInt8(truncatingIfNeeded: state >> 56)]
    }
    return Array(bytes.prefix(count))
}

extension [UInt8] {
    /// Equality at the speed of the C library, and without printing megabytes when it fails.
    package func isSame(as other: [UInt8]) -> Bool {
        count == other.count && (isEmpty || memcmp(self, other, count) == 0)
    }

    /// Whether the other begins with these bytes.
    package func isPrefix(of other: [UInt8]) -> Bool {
        count <= other.count && (isEmpty || memcmp(self, other, count) == 0)
    }
}

extension Bytes {
    /// These bytes, in regions of this many.
    package init(_ elements: [UInt8], regions size: Int) {
        self.init()
        for start in stride(from: 0, to: elements.count, by: size) {
            append(Bytes(Array(elements[start..<Swift.min(start + size, elements.count)])))
        }
    }
}
