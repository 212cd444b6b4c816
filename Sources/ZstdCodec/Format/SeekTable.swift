/// The skippable frame at the end of a seekable stream, which lists the sizes of all frames (zstd's
/// contrib/seekable_format 0.1.0).
///
/// Layout, little-endian: `0x184D2A5E | table size u32 | N x entry | N u32 | descriptor u8 | 0x8F92EAB1`.
package struct SeekTable: Equatable, Sendable {
    /// One frame; a skippable frame has decompressed size 0.
    package struct Entry: Equatable, Sendable {
        package var compressedSize: UInt32
        package var decompressedSize: UInt32
        /// The low 32 bits of XXH64 of the content, which are also the content checksum of the frame.
        package var checksum: UInt32

        package init(compressedSize: UInt32, decompressedSize: UInt32, checksum: UInt32) {
            self.compressedSize = compressedSize
            self.decompressedSize = decompressedSize
            self.checksum = checksum
        }

        /// An entry for a skippable frame.
        package init(skippable size: Int) {
            self.init(compressedSize: UInt32(size), decompressedSize: 0, checksum: SeekTable.checksumOfNothing)
        }

        init(_ bytes: RawSpan, at offset: Int, hasChecksum: Bool = true) {
            compressedSize = bytes.littleEndian(at: offset, as: UInt32.self)
            decompressedSize = bytes.littleEndian(at: offset + 4, as: UInt32.self)
            checksum = hasChecksum ? bytes.littleEndian(at: offset + 8, as: UInt32.self) : 0
        }

        func encode(to bytes: inout [UInt8], hasChecksum: Bool = true) {
            bytes.appendLittleEndian(compressedSize)
            bytes.appendLittleEndian(decompressedSize)
            if hasChecksum { bytes.appendLittleEndian(checksum) }
        }
    }

    static let magic: UInt32 = 0x184D_2A5E
    private static let footerMagic: UInt32 = 0x8F92_EAB1
    /// The number of bytes at the end of a table that give its size.
    package static let footerSize = 9
    /// contrib/seekable_format: "Number_Of_Frames", at most 0x8000000.
    package static let maximumCount = 0x800_0000
    /// contrib/seekable_format: "Decompressed_Size", at most 1 GiB.
    package static let maximumFrameSize = 1 << 30
    /// The low 32 bits of XXH64 of no bytes: the checksum of a skippable frame.
    package static let checksumOfNothing: UInt32 = 0x51D8_E999
    /// The largest table that a reader holds in memory, in bytes: enough for some TiB.
    package static let largestHeld: UInt64 = 16 << 20
    static let checksumFlag: UInt8 = 0b1000_0000
    private static let reservedBits: UInt8 = 0b0111_1100

    package static func entrySize(hasChecksums: Bool) -> Int { hasChecksums ? 12 : 8 }

    /// Whether these four bytes are the start of a table.
    package static func isMagic(_ bytes: RawSpan) -> Bool {
        bytes.byteCount == 4 && bytes.littleEndian(at: 0, as: UInt32.self) == magic
    }

    /// The frames in the order of the stream, at most `maximumCount`.
    package private(set) var entries: [Entry] = []
    package let hasChecksums: Bool

    /// Whether all frames with content have the same content size, except the last, which may have less.
    package var hasUniformContent: Bool {
        let sizes = entries.map(\.decompressedSize).filter { $0 > 0 }
        return sizes.dropLast().allSatisfy { $0 == sizes.first } && sizes.last ?? 0 <= sizes.first ?? 0
    }

    /// Whether the second frame has the size of a stream header, as in each stream whose header announces a table.
    package var listsStreamHeader: Bool {
        entries.count > 1 && entries[1].decompressedSize == 0 && entries[1].compressedSize == StreamHeader.encodedSize
    }

    /// A table without frames.
    package init(hasChecksums: Bool) {
        self.hasChecksums = hasChecksums
    }

    package mutating func append(_ entry: Entry) { entries.append(entry) }

    /// The compressed size of all frames without the table, in bytes.
    package var compressedSize: UInt64 { entries.reduce(0) { $0 + UInt64($1.compressedSize) } }
    package var decompressedSize: UInt64 { entries.reduce(0) { $0 + UInt64($1.decompressedSize) } }

    /// The size of the whole skippable frame in bytes.
    private var encodedSize: Int {
        FrameFormat.skippableHeaderSize + entries.count * Self.entrySize(hasChecksums: hasChecksums) + Self.footerSize
    }

    /// The memory of the table and its encoded form, in bytes.
    package var memory: Int { entries.capacity * MemoryLayout<Entry>.stride + encodedSize }

    /// The whole skippable frame.
    package var encoded: [UInt8] {
        var bytes = [UInt8](skippable: Self.magic, size: encodedSize)
        for entry in entries { entry.encode(to: &bytes, hasChecksum: hasChecksums) }
        bytes.appendLittleEndian(UInt32(entries.count))
        bytes.append(hasChecksums ? Self.checksumFlag : 0)
        bytes.appendLittleEndian(Self.footerMagic)
        return bytes
    }

    /// The size in bytes of the skippable frame at the end of a stream with this footer.
    ///
    /// - Parameter footer: the last `footerSize` (9) bytes of the stream.
    /// - Returns: nil if the stream does not end in a seek table.
    package static func encodedSize(footer: RawSpan) -> UInt64? {
        guard footer.byteCount == footerSize, footer.littleEndian(at: 5, as: UInt32.self) == footerMagic,
            footer[4] & reservedBits == 0
        else { return nil }
        let count = UInt64(footer.littleEndian(at: 0, as: UInt32.self))
        guard count <= maximumCount else { return nil }
        let entrySize = entrySize(hasChecksums: footer[4] & checksumFlag != 0)
        return UInt64(FrameFormat.skippableHeaderSize + footerSize) + count * UInt64(entrySize)
    }

    /// The first position with what looks like the footer of a table.
    package static func firstFooter(in bytes: RawSpan) -> Int? {
        (0..<max(0, bytes.byteCount - footerSize + 1)).first { position in
            let magic = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position + 5, as: UInt32.self)
            return magic == footerMagic.littleEndian && bytes[position + 4] & reservedBits == 0
        }
    }

    /// Whether bytes end in those of a table, whatever it lists.
    package static func ends(_ bytes: RawSpan) -> Bool {
        encodedSize(footer: bytes.extracting(last: footerSize)).map { $0 < bytes.byteCount } ?? false
    }

    /// The number of entries of a table that has checksums, by its first eight bytes and its last `footerSize`.
    ///
    /// - Returns: nil unless its magic numbers, sizes, count and reserved bits agree, or if it has none.
    package static func checksumCount(header: RawSpan, footer: RawSpan) -> Int? {
        guard header.byteCount == FrameFormat.skippableHeaderSize, let size = encodedSize(footer: footer),
            header.littleEndian(at: 0, as: UInt32.self) == magic,
            UInt64(header.littleEndian(at: 4, as: UInt32.self)) + UInt64(FrameFormat.skippableHeaderSize) == size,
            footer[4] & checksumFlag != 0
        else { return nil }
        return Int(footer.littleEndian(at: 0, as: UInt32.self))
    }

    /// Parses entries that have checksums.
    package static func entries(_ bytes: RawSpan) -> [Entry] {
        let size = entrySize(hasChecksums: true)
        return stride(from: 0, to: bytes.byteCount / size * size, by: size).map { Entry(bytes, at: $0) }
    }

    /// Parses a whole skippable frame; nil unless its magic numbers, sizes, count and reserved bits agree.
    package init?(_ bytes: RawSpan) {
        guard bytes.isSkippableFrame(Self.magic),
            Self.encodedSize(footer: bytes.extracting(last: Self.footerSize)) == UInt64(bytes.byteCount)
        else { return nil }
        hasChecksums = bytes[bytes.byteCount - 5] & Self.checksumFlag != 0
        let (start, end) = (FrameFormat.skippableHeaderSize, bytes.byteCount - Self.footerSize)
        entries = stride(from: start, to: end, by: Self.entrySize(hasChecksums: hasChecksums)).map {
            [hasChecksums] offset in
            Entry(bytes, at: offset, hasChecksum: hasChecksums)
        }
    }
}

/// Parses a seek table byte by byte as it arrives, whatever its size.
///
/// The size of an entry is only known at the end of the table, so the table is parsed both ways.
struct SeekTableScanner: Sendable {
    private let entriesSize: UInt64
    private var position: UInt64 = 0
    private var word: UInt64 = 0
    private var withoutChecksums = SeekTableDigest(hasChecksums: false)
    private var withChecksums = SeekTableDigest(hasChecksums: true)
    private var footer: [UInt8] = []

    /// - Parameter size: the size of the table without its skippable header, in bytes.
    init(size: UInt64) {
        entriesSize = size - min(size, UInt64(SeekTable.footerSize))
    }

    /// - Parameter bytes: the next bytes of the table.
    mutating func take(_ bytes: RawSpan) {
        for offset in bytes.byteOffsets {
            let byte = bytes[offset]
            if position < entriesSize { takeEntry(byte) } else { footer.append(byte) }
            position += 1
        }
    }

    private mutating func takeEntry(_ byte: UInt8) {
        word = word >> 8 | UInt64(byte) << 24
        guard position % 4 == 3 else { return }
        withoutChecksums.append(word, at: position / 4 % 2)
        withChecksums.append(word, at: position / 4 % 3)
        word = 0
    }

    /// Nil if bytes are missing, or the table's magic number, size, count and reserved bits do not agree.
    var outline: SeekTableOutline? {
        let encodedSize = SeekTable.encodedSize(footer: footer.span.bytes)
        guard encodedSize == position + UInt64(FrameFormat.skippableHeaderSize) else { return nil }
        return footer[4] & SeekTable.checksumFlag != 0 ? withChecksums.outline : withoutChecksums.outline
    }
}

/// Digests of a seek table that has passed in a stream: enough to verify it, whatever its size. It is small because it
/// is copied with every frame.
package struct SeekTableOutline: Equatable, Sendable {
    /// A digest of the compressed sizes that the table lists.
    let sizes: UInt64
    /// A digest of the decompressed sizes.
    let contentSizes: UInt64
    /// A digest of the checksums; nil if the entries have none.
    let checksums: UInt64?
}

/// An outline in the making, to which numbers are added one by one.
struct SeekTableDigest: Sendable {
    private var (sizes, contentSizes) = (NumberDigest(), NumberDigest())
    private var checksums: NumberDigest?

    init(hasChecksums: Bool) { if hasChecksums { checksums = NumberDigest() } }

    var outline: SeekTableOutline {
        SeekTableOutline(sizes: sizes.value, contentSizes: contentSizes.value, checksums: checksums?.value)
    }

    mutating func append(_ size: UInt64, contentSize: UInt64, checksum: UInt32) {
        sizes.append(size)
        contentSizes.append(contentSize)
        checksums?.append(UInt64(checksum))
    }

    /// - Parameter index: that of the number in its entry.
    mutating func append(_ word: UInt64, at index: UInt64) {
        switch index {
        case 0: sizes.append(word)
        case 1: contentSizes.append(word)
        default: checksums?.append(word)
        }
    }
}

extension SeekTable.Entry {
    /// Nil for a frame that no table can list.
    package init?(_ frame: FrameScanner.Frame) {
        guard let content = frame.contentSize, content <= SeekTable.maximumFrameSize,
            let content = UInt32(exactly: content), let size = UInt32(exactly: frame.compressedSize)
        else { return nil }
        let checksum = frame.header == nil ? SeekTable.checksumOfNothing : frame.checksum ?? 0
        self.init(compressedSize: size, decompressedSize: content, checksum: checksum)
    }
}
