import ZstdCodec

/// A frame of repeated blocks: four bytes for each 128 KiB, without a checksum.
func repeatedFrame(blocks: Int, contentSize: UInt64? = nil) -> [UInt8] {
    let block: [UInt8] = [0b010, 0, 0x10, 0]
    // Window 1 MiB; with a content size, of eight bytes.
    var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, contentSize == nil ? 0 : 0b1100_0000, 10 << 3]
    if let contentSize { withUnsafeBytes(of: contentSize.littleEndian) { bytes += $0 } }
    for _ in 0..<blocks - 1 { bytes += block }
    return bytes + [0b011] + block.dropFirst()
}

/// A frame of raw blocks, and behind them those that hold nothing, with a checksum and no content size.
func rawFrame(of content: [UInt8], emptyBlocks: Int = 1) throws -> [UInt8] {
    func block(_ bytes: ArraySlice<UInt8>, isLast: Bool = false) -> [UInt8] {
        let header = bytes.count << 3 | (isLast ? 1 : 0)
        return [UInt8(header & 255), UInt8(header >> 8 & 255), UInt8(header >> 16)] + bytes
    }
    var checksum = try ContentChecksum()
    checksum.append(content.span.bytes)
    let size = 1 << 17
    // A window of 1 MiB.
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x50]
    for start in stride(from: 0, to: content.count, by: size) {
        frame += block(content[start..<min(start + size, content.count)])
    }
    for number in 1...emptyBlocks { frame += block([], isLast: number == emptyBlocks) }
    return frame + withUnsafeBytes(of: checksum.value.littleEndian) { Array($0) }
}
