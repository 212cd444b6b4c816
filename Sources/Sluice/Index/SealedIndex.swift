/// An index, with marks that identify the file it belongs to.
///
/// Layout, little-endian: `"SLUICEIX" | version u32 = 1 | N u32 | N x { end in the file u64, end in the content u64,
/// mark u32 }`; a mark is the last four bytes of the file before an end: of most frames, their checksum.
struct SealedIndex {
    private static let name = Array("SLUICEIX".utf8)
    private static let version: UInt32 = 1
    private static let headerSize = 16
    private static let entrySize = 20

    let index: FrameIndex
    /// The bytes of the index, with the marks.
    let encoded: [UInt8]

    /// - Throws: `reading`, `sourceShrank`.
    init(_ index: FrameIndex, of source: Source) throws(Failure) {
        self.index = index
        var bytes = Self.name
        bytes.reserveCapacity(Self.headerSize + index.count * Self.entrySize)
        bytes.appendLittleEndian(Self.version)
        bytes.appendLittleEndian(UInt32(clamping: index.count))
        for position in 0..<index.count {
            let entry = index[position]
            bytes.appendLittleEndian(entry.input.upperBound)
            bytes.appendLittleEndian(entry.content.upperBound)
            bytes.appendLittleEndian(try Self.mark(entry, of: source))
        }
        encoded = bytes
    }

    /// Nil if the bytes are no index.
    init?(_ bytes: [UInt8]) {
        let size = bytes.count - Self.headerSize
        guard size > 0, bytes.starts(with: Self.name), UInt32(littleEndianBytes: bytes[8..<12]) == Self.version,
            size % Self.entrySize == 0, UInt64(littleEndianBytes: bytes[12..<16]) == UInt64(size / Self.entrySize)
        else { return nil }
        var index = FrameIndex()
        for offset in stride(from: Self.headerSize, to: bytes.count, by: Self.entrySize) {
            let input = UInt64(littleEndianBytes: bytes[offset..<offset + 8])
            let content = UInt64(littleEndianBytes: bytes[offset + 8..<offset + 16])
            guard input > index.inputSize, content >= index.contentSize,
                index.append(inputSize: input - index.inputSize, contentSize: content - index.contentSize)
            else { return nil }
        }
        (self.index, encoded) = (index, bytes)
    }

    /// Whether the file has the size of the index, and its frames end in the same marks.
    func belongs(to source: Source) throws(Failure) -> Bool {
        guard source.size == index.inputSize else { return false }
        for position in 0..<index.count {
            let end = Self.headerSize + (position + 1) * Self.entrySize
            let mark = UInt32(littleEndianBytes: encoded[end - 4..<end])
            if try Self.mark(index[position], of: source) != mark { return false }
        }
        return true
    }

    private static func mark(_ entry: FrameIndex.Entry, of source: Source) throws(Failure) -> UInt32 {
        let count = min(4, entry.input.count)
        guard let bytes = try source.bytes(at: entry.input.upperBound - UInt64(count), count: count) else {
            throw .sourceShrank(expected: source.size ?? 0, read: entry.input.lowerBound)
        }
        return UInt32(littleEndianBytes: bytes)
    }
}
