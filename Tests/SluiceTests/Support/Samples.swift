/// A frame of repeated blocks: four bytes for each 128 KiB, without a checksum.
func repeatedFrame(blocks: Int, contentSize: UInt64? = nil) -> [UInt8] {
    let block: [UInt8] = [0b010, 0, 0x10, 0]
    // Window 1 MiB; with a content size, of eight bytes.
    var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, contentSize == nil ? 0 : 0b1100_0000, 10 << 3]
    if let contentSize { withUnsafeBytes(of: contentSize.littleEndian) { bytes += $0 } }
    for _ in 0..<blocks - 1 { bytes += block }
    return bytes + [0b011] + block.dropFirst()
}
