/// Constants of the Zstandard format (RFC 8878, and zstd's contrib/seekable_format 0.1.0).
package enum FrameFormat {
    /// RFC 8878, 3.1.1: the first four bytes of a frame, little-endian.
    static let magic: UInt32 = 0xFD2F_B528
    /// RFC 8878, 3.1.2: sixteen magic numbers of skippable frames.
    static let skippableMagics: ClosedRange<UInt32> = 0x184D_2A50...0x184D_2A5F
    /// Magic numbers of the formats 0.1 to 0.7, which are not decoded.
    static let legacyMagics: Set<UInt32> = [
        0x1EB5_2FFD, 0xFD2F_B51E, 0xFD2F_B522, 0xFD2F_B523, 0xFD2F_B524, 0xFD2F_B525, 0xFD2F_B526, 0xFD2F_B527,
    ]
    /// RFC 8878, 5: the first four bytes of a formatted dictionary.
    private static let dictionaryMagic: UInt32 = 0xEC30_A437
    /// RFC 8878, 3.1.1.2: the bytes before each block.
    package static let blockHeaderSize = 3
    /// RFC 8878, 3.1.1.2.4: the most bytes that one block decompresses to, for any window.
    static let maximumBlockSize = 128 << 10
    /// RFC 8878, 3.1.1.1.2: the window that every decoder should accept, in bytes; RFC 9659: the largest in HTTP.
    static let widestPortableWindow: UInt64 = 8 << 20
    /// The size of the magic number and the size field before the content of a skippable frame, in bytes.
    package static let skippableHeaderSize = 8
    /// RFC 8878, 3.1.1: the size of the content checksum at the end of a frame, if it has one.
    static let checksumSize = 4

    /// The most content that this many bytes of frames can hold, in bytes: a block takes at least four.
    package static func contentBound(ofInput size: UInt64) -> UInt64 {
        let (bound, overflow) = (size / 4 + 1).multipliedReportingOverflow(by: UInt64(maximumBlockSize))
        return overflow ? .max : bound
    }

    static func isFrame(_ magic: UInt32) -> Bool { magic == Self.magic || skippableMagics.contains(magic) }

    static func isDictionary(_ bytes: RawSpan) -> Bool {
        bytes.byteCount >= 8 && bytes.littleEndian(at: 0, as: UInt32.self) == dictionaryMagic
    }
}

extension UnsignedInteger where Self: FixedWidthInteger {
    /// The number represented by bytes in little-endian order.
    @inlinable package init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
    }
}

extension [UInt8] {
    /// The header of a skippable frame of `size` bytes in all, with capacity for the rest.
    package init(skippable magic: UInt32, size: Int) {
        self = []
        reserveCapacity(size)
        appendLittleEndian(magic)
        appendLittleEndian(UInt32(size - FrameFormat.skippableHeaderSize))
    }

    package mutating func appendLittleEndian<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension UInt64 {
    /// The smallest n for which 2^n is at least the value; 0 for 0 and 1.
    package var ceilingLog2: Int { self <= 1 ? 0 : 64 - (self - 1).leadingZeroBitCount }
}
