/// Reads a seek table byte by byte as it arrives, whatever its size.
///
/// Only the end of the table says how long an entry is, so it is read both ways.
struct SeekTableScanner: Sendable {
    private let entriesSize: UInt64
    private var position: UInt64 = 0
    private var word: UInt64 = 0
    private var withoutChecksums = SeekTableOutline()
    private var withChecksums = SeekTableOutline(checksums: NumberDigest())
    private var footer: [UInt8] = []

    /// - Parameter size: bytes of the table, without its skippable header.
    init(size: UInt64) {
        entriesSize = size - min(size, UInt64(SeekTable.footerSize))
    }

    /// - Parameter bytes: the next ones of the table.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
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
        let encodedSize = footer.withUnsafeBytes { SeekTable.encodedSize(footer: $0) }
        guard encodedSize == position + UInt64(FrameFormat.skippableHeaderSize) else { return nil }
        return footer[4] & SeekTable.checksumFlag != 0 ? withChecksums : withoutChecksums
    }
}

/// A digest of a seek table that passed by in a stream: enough to tell whether it is true, whatever its size.
package struct SeekTableOutline: Equatable, Sendable {
    /// The compressed sizes that it lists.
    var sizes = NumberDigest()
    /// The decompressed sizes.
    var contentSizes = NumberDigest()
    /// The checksums; nil if its entries have none.
    var checksums: NumberDigest?

    /// - Parameter place: that of the number in its entry.
    fileprivate mutating func append(_ word: UInt64, at place: UInt64) {
        switch place {
        case 0: sizes.append(word)
        case 1: contentSizes.append(word)
        default: checksums?.append(word)
        }
    }
}
