/// The last, skippable frame of a seekable stream: how large each frame is (zstd's contrib/seekable_format 0.1.0).
///
/// Layout, little-endian: `0x184D2A5E | table size u32 | N x entry | N u32 | descriptor u8 | 0x8F92EAB1`.
package struct SeekTable: Equatable, Sendable {
    /// One frame; a skippable frame has the decompressed size 0.
    package struct Entry: Equatable, Sendable {
        /// Bytes.
        package var compressedSize: UInt32
        /// Bytes.
        package var decompressedSize: UInt32
        /// The low 32 bits of XXH64 of the decompressed bytes: the content checksum of the frame.
        package var checksum: UInt32

        /// - Parameters:
        ///   - compressedSize: bytes.
        ///   - decompressedSize: bytes; 0 for a skippable frame.
        ///   - checksum: `checksumOfNothing` for a skippable frame.
        package init(compressedSize: UInt32, decompressedSize: UInt32, checksum: UInt32) {
            self.compressedSize = compressedSize
            self.decompressedSize = decompressedSize
            self.checksum = checksum
        }
    }

    static let magic: UInt32 = 0x184D_2A5E
    private static let footerMagic: UInt32 = 0x8F92_EAB1
    /// Bytes at the end of a table that tell its size.
    package static let footerSize = 9
    /// contrib/seekable_format: "Number_Of_Frames", at most 0x8000000.
    package static let maximumCount = 0x800_0000
    /// contrib/seekable_format: "Decompressed_Size", at most 1 GiB.
    package static let maximumFrameSize = 1 << 30
    /// The low 32 bits of XXH64 of no bytes: the checksum of a skippable frame.
    package static let checksumOfNothing: UInt32 = 0x51D8_E999
    /// The largest table that a reader holds, in bytes: it suffices for some TiB.
    package static let largestHeld: UInt64 = 16 << 20
    static let checksumFlag: UInt8 = 0b1000_0000
    private static let reservedBits: UInt8 = 0b0111_1100

    /// Whether four bytes begin a table.
    package static func isMagic(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == 4 && bytes.littleEndian(at: 0, as: UInt32.self) == magic
    }

    /// The frames, in the order of the stream.
    package private(set) var entries: [Entry] = []
    /// Whether the entries carry checksums.
    package let hasChecksums: Bool

    /// Whether all frames with content have as much, but for the last, which may have less.
    package var hasUniformContent: Bool {
        let sizes = entries.lazy.map(\.decompressedSize).filter { $0 > 0 }
        return sizes.dropLast().allSatisfy { $0 == sizes.first } && sizes.last ?? 0 <= sizes.first ?? 0
    }

    /// A table without frames.
    package init(hasChecksums: Bool) {
        self.hasChecksums = hasChecksums
    }

    /// Adds the frame behind those before it; `maximumCount` of them have room.
    package mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    /// Compressed bytes of all the frames, without the table.
    package var compressedSize: UInt64 { entries.reduce(0) { $0 + UInt64($1.compressedSize) } }
    /// Decompressed bytes of all the frames.
    package var decompressedSize: UInt64 { entries.reduce(0) { $0 + UInt64($1.decompressedSize) } }

    /// Bytes of the largest table with `count` entries, its skippable header included.
    static func encodedSize(count: UInt64) -> UInt64 {
        let (entries, overflow) = count.multipliedReportingOverflow(by: 12)
        return overflow ? .max : entries &+ UInt64(FrameFormat.skippableHeaderSize + footerSize)
    }

    /// Bytes of memory that the table takes, and once more when it is encoded.
    package var memory: Int {
        entries.capacity * MemoryLayout<Entry>.stride + Int(Self.encodedSize(count: UInt64(entries.count)))
    }

    /// The whole skippable frame.
    package var encoded: [UInt8] {
        let entrySize = hasChecksums ? 12 : 8
        let size = entries.count * entrySize + Self.footerSize
        var bytes: [UInt8] = []
        bytes.reserveCapacity(FrameFormat.skippableHeaderSize + size)
        bytes.appendLittleEndian(Self.magic)
        bytes.appendLittleEndian(UInt32(size))
        for entry in entries {
            bytes.appendLittleEndian(entry.compressedSize)
            bytes.appendLittleEndian(entry.decompressedSize)
            if hasChecksums { bytes.appendLittleEndian(entry.checksum) }
        }
        bytes.appendLittleEndian(UInt32(entries.count))
        bytes.append(hasChecksums ? Self.checksumFlag : 0)
        bytes.appendLittleEndian(Self.footerMagic)
        return bytes
    }

    /// The size in bytes of the whole skippable frame that a stream with this footer ends in.
    ///
    /// - Parameter footer: the last `footerSize` (9) bytes of the stream.
    /// - Returns: nil if the stream does not end in a seek table.
    package static func encodedSize(footer: UnsafeRawBufferPointer) -> UInt64? {
        guard footer.count == footerSize, footer.littleEndian(at: 5, as: UInt32.self) == footerMagic,
            footer[4] & reservedBits == 0
        else { return nil }
        let count = UInt64(footer.littleEndian(at: 0, as: UInt32.self))
        guard count <= maximumCount else { return nil }
        let entrySize: UInt64 = footer[4] & checksumFlag == 0 ? 8 : 12
        return UInt64(FrameFormat.skippableHeaderSize + footerSize) + count * entrySize
    }

    /// Parses a whole skippable frame; nil if its magic numbers, sizes, count and reserved bits do not agree.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        let smallest = FrameFormat.skippableHeaderSize + Self.footerSize
        guard bytes.count >= smallest, bytes.littleEndian(at: 0, as: UInt32.self) == Self.magic,
            Int(bytes.littleEndian(at: 4, as: UInt32.self)) == bytes.count - FrameFormat.skippableHeaderSize,
            Self.encodedSize(footer: .init(rebasing: bytes.suffix(Self.footerSize))) == UInt64(bytes.count)
        else { return nil }
        hasChecksums = bytes[bytes.count - 5] & Self.checksumFlag != 0
        let stride = hasChecksums ? 12 : 8
        let end = bytes.count - Self.footerSize
        entries.reserveCapacity((end - FrameFormat.skippableHeaderSize) / stride)
        for offset in Swift.stride(from: FrameFormat.skippableHeaderSize, to: end, by: stride) {
            entries.append(
                Entry(
                    compressedSize: bytes.littleEndian(at: offset, as: UInt32.self),
                    decompressedSize: bytes.littleEndian(at: offset + 4, as: UInt32.self),
                    checksum: hasChecksums ? bytes.littleEndian(at: offset + 8, as: UInt32.self) : 0))
        }
    }
}
