extension FrameHeader {
    /// The header of the same frame without sizes, for one that may be wrong: decoding then tells how much it holds,
    /// and the checksum at its end whether that is true (RFC 8878, 3.1.1.1).
    ///
    /// - Parameter bytes: those that the frame begins with, its header at least.
    /// - Returns: bytes to be put in the place of so many; nil if there is no header, or no checksum.
    package static func withoutSizes(_ bytes: UnsafeRawBufferPointer) -> (header: [UInt8], replaced: Int)? {
        guard bytes.count >= prefixSize, let size = size(descriptor: bytes[4]), bytes.count >= size,
            bytes[4] & 0b100 != 0
        else { return nil }
        let start = prefixSize + (bytes[4] & 0b10_0000 == 0 ? 1 : 0)
        // The checksum's bit and those of the dictionary stay. Decoding in one go needs no window, but as a bound of
        // blocks: 128 MiB.
        let descriptor = bytes[4] & 0b111
        let identifier = bytes[start..<start + dictionaryBytes(descriptor)]
        return (bytes[..<4] + [descriptor, 17 << 3] + identifier, size)
    }
}
