package import ByteStreams
internal import ZstdCodec

/// The members of an archive and their positions, stored in a skippable frame before the seek table.
///
/// Layout, little-endian: `0x184D2A55 | size u32 | "SLUICE" | version u8 = 2 | flags u8 | content size u64 | B u32 | F
/// u32 | B x { members u32, end u64, names u32, compressed u32, fields u32, compressed u32, filter u32 } | filters, F
/// bytes | checkpoints, u32 each | checksum u32 | B x { names, fields }`. The checksum is the low 32 bits of XXH64 of
/// everything between the size and the checksum. Names and fields are Zstandard frames with checksums, read when
/// needed.
package struct ArchiveIndex: Sendable {
    /// A Zstandard frame: its position in the skippable frame, and its content size.
    private typealias Column = (stored: Range<Int>, size: Int)

    /// Members that are listed together.
    private struct Block: Sendable {
        let count: Int
        /// The bytes of the archive from the end of the previous block to the end of this block's last member.
        let place: Range<UInt64>
        let names: Column
        let fields: Column
        /// The position of the Bloom filter of its names in the skippable frame (`BloomFilter`).
        let filter: Range<Int>
    }

    static let magic: UInt32 = 0x184D_2A55
    static let version: UInt8 = 2
    /// The flag of an index with checkpoints.
    static let hasCheckpoints: UInt8 = 1
    /// The flag of an index that ends before the archive does, where the archive can't be parsed.
    static let isPartial: UInt8 = 2
    /// The number of bytes before the list of blocks, and of each block in it.
    static let (headSize, blockSize) = (32, 32)
    /// The largest size of the frame in bytes; then the most members of a block, and bytes of a column.
    package static let mostBytes = 256 << 20
    private static let (mostMembers, mostColumn) = (1 << 20, 64 << 20)

    /// The size of the archive in bytes.
    package let contentSize: UInt64
    /// The end of the index, if the archive continues after its members in a way that can't be parsed.
    let partialEnd: UInt64?
    private let blocks: [Block]
    /// The position of the checksums at checkpoints in the skippable frame.
    private let checkpoints: Range<Int>
    /// The bytes that are read at once: everything before the columns.
    private let front: [UInt8]
    /// Reads bytes of the skippable frame; nil if some are missing.
    private let read: @Sendable (Range<Int>) throws(Failure) -> [UInt8]?

    /// Whether a frame with these first bytes may be an index.
    package static func begins(with bytes: [UInt8]) -> Bool {
        bytes.count >= 15 && UInt32(littleEndianBytes: bytes[0..<4]) == magic
            && bytes[8..<14].elementsEqual(StreamHeader.name) && bytes[14] == version
    }

    /// Parses a whole skippable frame.
    ///
    /// - Returns: nil if it is not an index of this version, or its first part is damaged.
    package init?(_ frame: [UInt8]) {
        do throws(Failure) {
            try self.init(size: frame.count) { Array(frame[$0]) }
        } catch {
            return nil
        }
    }

    /// Reads the first part of a skippable frame now, and columns of blocks when they are needed.
    ///
    /// - Returns: nil if it is not an index of this version, or its first part is damaged.
    /// - Throws: `reading`.
    package init?(in frame: Source) throws(Failure) {
        try self.init(size: Int(clamping: frame.size ?? 0)) { range throws(Failure) in
            try frame.bytes(at: UInt64(range.lowerBound), count: range.count)
        }
    }

    init?(size: Int, _ read: @escaping @Sendable (Range<Int>) throws(Failure) -> [UInt8]?) throws(Failure) {
        guard size <= Self.mostBytes, size >= Self.headSize, let head = try read(0..<Self.headSize),
            Self.begins(with: head), head[15] <= Self.hasCheckpoints | Self.isPartial,
            UInt64(littleEndianBytes: head[4..<8]) == UInt64(size - FrameFormat.skippableHeaderSize)
        else { return nil }
        contentSize = UInt64(littleEndianBytes: head[16..<24])
        let filters = Self.headSize + Self.number(head, 24) * Self.blockSize
        let filtersEnd = filters + Self.number(head, 28)
        let checkpointCount = head[15] & Self.hasCheckpoints != 0 ? contentSize / ContentChecksum.checkpointDistance : 0
        guard contentSize < 1 << 62 else { return nil }
        let end = filtersEnd + 4 * Int(checkpointCount)
        guard end + 4 <= size, let front = try read(0..<end + 4),
            contentChecksum(front[FrameFormat.skippableHeaderSize..<end]) == UInt32(littleEndianBytes: front[end...])
        else { return nil }
        var (blocks, filter, column) = ([Block](), filters, end + 4)
        for start in stride(from: Self.headSize, to: filters, by: Self.blockSize) {
            let last = blocks.last?.place.upperBound ?? 0
            guard let block = Self.block(front[start..<start + Self.blockSize], after: last, filter, column),
                block.place.upperBound <= contentSize
            else { return nil }
            (filter, column) = (block.filter.upperBound, block.fields.stored.upperBound)
            blocks.append(block)
        }
        guard column == size, filter == filtersEnd else { return nil }
        checkpoints = filtersEnd..<end
        partialEnd = head[15] & Self.isPartial != 0 ? blocks.last?.place.upperBound ?? 0 : nil
        (self.blocks, self.front, self.read) = (blocks, front, read)
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>, _ place: Int) -> Int {
        Int(UInt32(littleEndianBytes: bytes.dropFirst(place).prefix(4)))
    }

    /// - Parameters:
    ///   - last: the end of the previous block in the archive.
    ///   - filter: the start of its filter.
    ///   - column: the start of its columns.
    private static func block(_ bytes: ArraySlice<UInt8>, after last: UInt64, _ filter: Int, _ column: Int) -> Block? {
        func number(_ place: Int) -> Int { Self.number(bytes, place) }
        let end = UInt64(littleEndianBytes: bytes.dropFirst(4).prefix(8))
        let fields = column + number(16)
        guard (1...mostMembers).contains(number(0)), max(number(12), number(20)) <= mostColumn, end > last else {
            return nil
        }
        return Block(
            count: number(0), place: last..<end, names: (column..<fields, number(12)),
            fields: (fields..<fields + number(24), number(20)), filter: filter..<filter + number(28))
    }

    package var blockCount: Int { blocks.count }

    /// The first checkpoint at or after an offset in the archive; nil if the index has none there.
    package func checkpoint(after place: UInt64) -> (place: UInt64, checksum: UInt32)? {
        let number = (max(1, place) - 1) / ContentChecksum.checkpointDistance
        guard number < UInt64(checkpoints.count / 4) else { return nil }
        let checksum = UInt32(littleEndianBytes: front[(checkpoints.lowerBound + 4 * Int(number))...].prefix(4))
        return ((number + 1) * ContentChecksum.checkpointDistance, checksum)
    }

    /// Calls `body` with members in order: all of them, or those with wanted names. Of other blocks, only names are
    /// read.
    ///
    /// - Parameters:
    ///   - range: the blocks; nil for all.
    ///   - keys: Bloom-filter keys of names or directories (`BloomFilter.key`), at least one of which every wanted
    ///     member has: blocks that have none of them are not read. Nil to read all blocks.
    ///   - latch: its failure ends the visit; nil if nothing has to.
    ///   - judge: as for `MemberColumns.names`.
    /// - Throws: `archive` if the index is damaged; `reading`; the failure of `body`, or of the latch.
    package func visit(
        blocks range: Range<Int>? = nil, having keys: [UInt64]? = nil, latch: FailureLatch? = nil,
        where judge: (RawSpan) -> Int? = { _ in nil },
        _ body: (ArchiveMember) throws(Failure) -> Void
    ) throws(Failure) {
        // Without a dictionary, only memory can be missing.
        guard var decompressor = try? Decompressor() else { throw .outOfMemory }
        for block in blocks[range ?? blocks.indices] {
            try latch?.check()
            let filter = front[block.filter]
            guard keys?.contains(where: { BloomFilter.mayHave($0, filter) }) ?? true else { continue }
            try visit(block, &decompressor, where: judge, body)
        }
    }

    /// - Throws: `archive` if the archive continues after the last member.
    package func checkEnd() throws(Failure) {
        if let partialEnd { throw .damagedArchive("its index ends there", at: partialEnd) }
    }

    private func visit(
        _ block: Block, _ decompressor: inout Decompressor, where judge: (RawSpan) -> Int?,
        _ body: (ArchiveMember) throws(Failure) -> Void
    ) throws(Failure) {
        let names = try content(of: block.names, &decompressor)
        guard
            let wanted = MemberColumns.names(
                in: .init(names.memory), count: block.count, within: block.place.upperBound - block.place.lowerBound,
                where: judge)
        else { throw Self.damage }
        if wanted.isEmpty { return }
        let fields = try content(of: block.fields, &decompressor)
        let areMembers = try MemberColumns.visit(
            wanted, in: .init(fields.memory), count: block.count, at: block.place, body)
        if !areMembers { throw Self.damage }
    }

    private func content(of column: Column, _ decompressor: inout Decompressor) throws(Failure) -> OutputBuffer {
        guard let bytes = try read(column.stored) else { throw Self.damage }
        let output = try OutputBuffer(capacity: column.size)
        let memory = output.memory
        let count = try? decompressor.decompress(bytes.span.bytes, into: memory, offset: 0)
        guard count == column.size else { throw Self.damage }
        return output
    }

    package static let damage = Failure.archive("the index of its members is damaged")
}
