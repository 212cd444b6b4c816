/// Numbers that the Zstandard format fixes (RFC 8878, and zstd's contrib/seekable_format 0.1.0).
enum FrameFormat {
    /// RFC 8878, 3.1.1: the first four bytes of a frame, little-endian.
    static let magic: UInt32 = 0xFD2F_B528
    /// RFC 8878, 3.1.2: sixteen magic numbers of skippable frames.
    static let skippableMagics: ClosedRange<UInt32> = 0x184D_2A50...0x184D_2A5F
    /// Magic numbers of the formats 0.1 to 0.7, which this library does not read.
    static let legacyMagics: Set<UInt32> = [
        0x1EB5_2FFD, 0xFD2F_B51E, 0xFD2F_B522, 0xFD2F_B523, 0xFD2F_B524, 0xFD2F_B525, 0xFD2F_B526, 0xFD2F_B527,
    ]
    /// RFC 8878, 5: the first four bytes of a dictionary that has more than content.
    private static let dictionaryMagic: UInt32 = 0xEC30_A437
    /// RFC 8878, 3.1.1.2.4: the most that one block decompresses to, in bytes, whatever the window.
    static let maximumBlockSize = 128 << 10
    /// Bytes before the content of a skippable frame: the magic number and the size.
    static let skippableHeaderSize = 8
    /// RFC 8878, 3.1.1: the content checksum, the last bytes of a frame that has one.
    static let checksumSize = 4

    static func isDictionary(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 8 && bytes.littleEndian(at: 0, as: UInt32.self) == dictionaryMagic
    }
}

extension UnsafeRawBufferPointer {
    /// The little-endian number at `offset`, which must lie within the buffer.
    func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}

extension UnsignedInteger where Self: FixedWidthInteger {
    /// The number that bytes are, the lowest first.
    package init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
    }
}

extension [UInt8] {
    mutating func appendLittleEndian<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
