// The generators of content belong to the tests of streams too, which need no codec.
@_exported public import StreamTestSupport
public import ZstdCodec

/// One frame with this content.
public func frame(_ content: [UInt8], _ options: CompressionOptions = CompressionOptions(level: 1)) throws -> [UInt8] {
    var compressor = try Compressor(options)
    var bytes = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
    let count = try bytes.withUnsafeMutableBytes { try compressor.compress(content.span.bytes, into: $0) }
    return Array(bytes[..<count])
}

/// The content that libzstd decodes a frame of at most `most` bytes to, without looking at its checksum; nil if it
/// refuses the frame, or if there is anything but one whole frame.
public func decodedWithoutChecksum(_ frame: [UInt8], most: Int = 2 << 20) throws -> [UInt8]? {
    var decompressor = try Decompressor(verifiesChecksums: false)
    try decompressor.begin()
    var content = [UInt8](repeating: 0, count: most)
    var rest = frame.span.bytes
    let count = try? content.withUnsafeMutableBytes { try decompressor.stream(&rest, into: $0, offset: 0).written }
    return rest.isEmpty && decompressor.hasEnded ? count.map { Array(content[..<$0]) } : nil
}
