/// Takes a seek table as it comes, byte by byte.
///
/// How long an entry is says only the end of the table, so both ways of reading it are followed.
struct SeekTableScanner: Sendable {
    /// Bytes of the table that have not come yet, without its skippable header.
    private(set) var missing: UInt64
    private let entriesSize: UInt64
    private var position: UInt64 = 0
    private var word: UInt64 = 0
    private var withoutChecksums = Sizes()
    private var withChecksums = Sizes()
    private var footer: [UInt8] = []

    /// - Parameter size: bytes of the table, without its skippable header; nil if no table is so small.
    init?(size: UInt32) {
        guard size >= SeekTable.footerSize else { return nil }
        missing = UInt64(size)
        entriesSize = UInt64(size) - UInt64(SeekTable.footerSize)
    }

    /// - Parameter bytes: at most `missing`.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if position < entriesSize { takeEntry(byte) } else { footer.append(byte) }
            position += 1
        }
        missing -= UInt64(bytes.count)
    }

    private mutating func takeEntry(_ byte: UInt8) {
        word = word >> 8 | UInt64(byte) << 24
        guard position % 4 == 3 else { return }
        withoutChecksums.append(word, at: position / 4 % 2)
        withChecksums.append(word, at: position / 4 % 3)
        word = 0
    }

    /// What a table lists, if an entry is so long.
    private struct Sizes {
        var compressed = NumberDigest()
        var content = NumberDigest()
        var checksums = NumberDigest()

        /// - Parameter place: of the number in its entry.
        mutating func append(_ word: UInt64, at place: UInt64) {
            switch place {
            case 0: compressed.append(word)
            case 1: content.append(word)
            default: checksums.append(word)
            }
        }
    }

    /// Nil if the table's magic number, size, count and reserved bits do not agree.
    var outline: SeekTableOutline? {
        let encodedSize = footer.withUnsafeBytes { SeekTable.encodedSize(footer: $0) }
        guard missing == 0, encodedSize == position + UInt64(FrameFormat.skippableHeaderSize) else { return nil }
        let hasChecksums = footer[4] & SeekTable.checksumFlag != 0
        let sizes = hasChecksums ? withChecksums : withoutChecksums
        return SeekTableOutline(
            sizes: sizes.compressed, contentSizes: sizes.content, checksums: hasChecksums ? sizes.checksums : nil)
    }
}
