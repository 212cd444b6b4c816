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
