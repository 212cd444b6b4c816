public import ZstdCodec

/// Bytes that compress to about half, the same for the same seed.
public func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
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
public func frame(_ content: [UInt8], _ options: CompressionOptions = CompressionOptions(level: 1)) throws -> [UInt8] {
    var compressor = try Compressor(options)
    var bytes = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
    let count = try content.withUnsafeBytes { content in
        try bytes.withUnsafeMutableBytes { try compressor.compress(content, into: $0) }
    }
    return Array(bytes[..<count])
}

/// The content that libzstd decodes a frame of at most 2 MiB to, without looking at its checksum; nil if it refuses the
/// frame, or if there is anything but one whole frame.
public func decodedWithoutChecksum(_ frame: [UInt8]) throws -> [UInt8]? {
    var decompressor = try Decompressor(verifiesChecksums: false)
    try decompressor.begin()
    var content = [UInt8](repeating: 0, count: 2 << 20)
    let count: Int? = frame.withUnsafeBytes { frame in
        var rest = frame
        let count = try? content.withUnsafeMutableBytes {
            try decompressor.stream(&rest, into: $0, offset: 0).written
        }
        return rest.isEmpty && decompressor.hasEnded ? count : nil
    }
    return count.map { Array(content[..<$0]) }
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
