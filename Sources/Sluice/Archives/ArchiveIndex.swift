/// Which members an archive has, and where: a skippable frame in front of the seek table.
///
/// Layout, little-endian: `0x184D2A55 | size u32 | "SLUICE" | version u8 = 2 | flags u8 = 0 | content size u64 | B u32
/// | F u32 | B x { members u32, end u64, names u32, compressed u32, fields u32, compressed u32, filter u32 } | filters,
/// F bytes | checksum u32 | B x { names, fields }`. The checksum is the low 32 bits of XXH64 of what is between the
/// size and it; names and fields are Zstandard frames with checksums, and read when they are needed.
package struct ArchiveIndex: Sendable {
    /// Members that are listed together.
    struct Block: Sendable {
        let count: Int
        /// The first byte of the archive after them.
        let end: UInt64
        /// Bytes, decompressed and compressed.
        let names: (size: Int, stored: Int)
        let fields: (size: Int, stored: Int)
        /// Bytes of the filter of their names (`BloomFilter`).
        let filter: Int
    }

    /// Where the skippable frame is.
    private enum Origin: Sendable {
        case memory([UInt8])
        /// All of a source.
        case source(Source)

        var count: Int {
            switch self {
            case .memory(let bytes): bytes.count
            case .source(let source): Int(clamping: source.size ?? 0)
            }
        }

        /// - Returns: nil if some are missing.
        func bytes(_ range: Range<Int>) throws(Failure) -> [UInt8]? {
            switch self {
            case .memory(let bytes): range.upperBound > bytes.count ? nil : Array(bytes[range])
            case .source(let source): try source.bytes(at: UInt64(range.lowerBound), count: range.count)
            }
        }
    }

    static let magic: UInt32 = 0x184D_2A55
    private static let version: UInt8 = 2
    /// Bytes in front of the list of blocks, and of each block there.
    private static let (headSize, blockSize) = (32, 32)
    /// The most bytes of the frame, of members in a block, and of a column.
    package static let mostBytes = 256 << 20
    private static let (mostMembers, mostColumn) = (1 << 20, 64 << 20)

    /// Bytes of the archive.
    package let contentSize: UInt64
    private let blocks: [Block]
    private let origin: Origin
    /// Where the columns of each block begin.
    private let places: [Int]
    /// The filters of all blocks.
    private let filters: [UInt8]

    /// How many members there are.
    package var count: Int { blocks.reduce(0) { $0 + $1.count } }
    /// Bytes that it holds.
    var memory: Int {
        if case .memory(let bytes) = origin { bytes.count + filters.count } else { filters.count }
    }

    /// Whether a frame with these first bytes may be an index.
    static func begins(with bytes: [UInt8]) -> Bool {
        bytes.count >= 15 && UInt32(littleEndianBytes: bytes[0..<4]) == magic
            && bytes[8..<14].elementsEqual(StreamHeader.name) && bytes[14] == version
    }

    /// Takes a whole skippable frame.
    ///
    /// - Returns: nil if it is no index of this version, or a byte of its first part changed.
    package init?(_ frame: [UInt8]) {
        do throws(Failure) { try self.init(.memory(frame)) } catch { return nil }
    }

    /// Reads the first part of a skippable frame, and columns of blocks when they are asked for.
    ///
    /// - Returns: nil if it is no index of this version, or a byte of its first part changed.
    /// - Throws: `reading`.
    init?(in frame: Source) throws(Failure) { try self.init(.source(frame)) }

    private init?(_ origin: Origin) throws(Failure) {
        let size = origin.count
        guard size <= Self.mostBytes, size >= Self.headSize, let head = try origin.bytes(0..<Self.headSize),
            Self.begins(with: head), head[15] == 0,
            UInt64(littleEndianBytes: head[4..<8]) == UInt64(size - FrameFormat.skippableHeaderSize)
        else { return nil }
        contentSize = UInt64(littleEndianBytes: head[16..<24])
        let (count, filterBytes) = (Self.number(head, 24), Self.number(head, 28))
        let end = Self.headSize + count * Self.blockSize + filterBytes
        guard end + 4 <= size, contentSize < 1 << 62,
            let checked = try origin.bytes(FrameFormat.skippableHeaderSize..<end + 4),
            contentChecksum(Array(checked.dropLast(4))) == UInt32(littleEndianBytes: checked.suffix(4))
        else { return nil }
        var (blocks, places, place, last) = ([Block](), [Int](), end + 4, UInt64(0))
        var filters = checked.dropFirst(Self.headSize - FrameFormat.skippableHeaderSize).dropLast(4)
        for _ in 0..<count {
            guard let block = Self.block(filters.prefix(Self.blockSize)), block.end > last, block.end <= contentSize
            else { return nil }
            filters = filters.dropFirst(Self.blockSize)
            places.append(place)
            place += block.names.stored + block.fields.stored
            last = block.end
            blocks.append(block)
        }
        guard place == size, blocks.reduce(0, { $0 + $1.filter }) == filterBytes else { return nil }
        (self.blocks, self.places, self.origin, self.filters) = (blocks, places, origin, Array(filters))
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>, _ place: Int) -> Int {
        Int(UInt32(littleEndianBytes: bytes.dropFirst(place).prefix(4)))
    }

    private static func block(_ bytes: ArraySlice<UInt8>) -> Block? {
        func number(_ place: Int) -> Int { Self.number(bytes, place) }
        let (count, names, fields) = (number(0), (number(12), number(16)), (number(20), number(24)))
        guard (1...mostMembers).contains(count), max(names.0, fields.0) <= mostColumn else { return nil }
        let end = UInt64(littleEndianBytes: bytes.dropFirst(4).prefix(8))
        return Block(count: count, end: end, names: names, fields: fields, filter: number(28))
    }

    static func frame(
        _ blocks: [Block], _ filters: [UInt8], _ columns: [UInt8], contentSize: UInt64
    ) throws(Failure) -> [UInt8] {
        let size = headSize + blocks.count * blockSize + filters.count + 4 + columns.count
        if size > mostBytes { throw .archive("it has too many members for an index") }
        var frame = [UInt8](skippable: magic, size: size)
        frame += StreamHeader.name + [version, 0]
        frame.appendLittleEndian(contentSize)
        frame.appendLittleEndian(UInt32(blocks.count))
        frame.appendLittleEndian(UInt32(filters.count))
        for block in blocks {
            frame.appendLittleEndian(UInt32(block.count))
            frame.appendLittleEndian(block.end)
            for number in [
                block.names.size, block.names.stored, block.fields.size, block.fields.stored, block.filter,
            ] {
                frame.appendLittleEndian(UInt32(number))
            }
        }
        frame += filters
        frame.appendLittleEndian(contentChecksum(Array(frame[FrameFormat.skippableHeaderSize...])))
        return frame + columns
    }

    package var blockCount: Int { blocks.count }

    /// Calls `body` with members in turn: all, or those whose names are wanted; of other blocks only names are read.
    ///
    /// - Parameters:
    ///   - keys: of names or directories, one of which each member has that is wanted (`BloomFilter.key`): blocks that
    ///     have none of them are not read; nil if the names tell nothing of it.
    ///   - judge: is not asked about names that begin as one that it does not want.
    /// - Throws: `archive` if the index is damaged; `reading`; what `body` throws.
    package func visit(
        having keys: [UInt64]? = nil, where judge: (UnsafeRawBufferPointer) -> NameVerdict = { _ in .wanted },
        _ body: (ArchiveMember) throws(Failure) -> Void
    ) throws(Failure) {
        var decompressor = try codec(Decompressor())
        var rest = filters[...]
        for (number, block) in blocks.enumerated() {
            let filter = rest.prefix(block.filter)
            rest = rest.dropFirst(block.filter)
            guard keys?.contains(where: { BloomFilter.mayHave($0, filter) }) ?? true else { continue }
            try visit(number, &decompressor, where: judge, body)
        }
    }

    /// The same for all members of one block.
    func visit(block: Int, _ body: (ArchiveMember) throws(Failure) -> Void) throws(Failure) {
        var decompressor = try codec(Decompressor())
        try visit(block, &decompressor, where: { _ in .wanted }, body)
    }

    private func visit(
        _ number: Int, _ decompressor: inout Decompressor, where judge: (UnsafeRawBufferPointer) -> NameVerdict,
        _ body: (ArchiveMember) throws(Failure) -> Void
    ) throws(Failure) {
        let block = blocks[number]
        let names = try column(at: places[number], block.names, &decompressor)
        var paths: [(position: Int, path: [UInt8])] = []
        let areNames = MemberColumns.forEachName(in: .init(names.memory), count: block.count) { position, name in
            switch judge(name) {
            case .wanted: paths.append((position, Array(name)))
            case .unwanted(let telling): return telling
            }
            return .max
        }
        if !areNames { throw Self.damage }
        if paths.isEmpty { return }
        let fields = try column(at: places[number] + block.names.stored, block.fields, &decompressor)
        var next = 0
        let areMembers = try MemberColumns.forEachField(
            in: .init(fields.memory), count: block.count, from: number > 0 ? blocks[number - 1].end : 0, to: block.end
        ) { position, member throws(Failure) in
            guard next < paths.count, paths[next].position == position else { return }
            member.path = paths[next].path
            next += 1
            try body(member)
        }
        if !areMembers { throw Self.damage }
    }

    private func column(
        at place: Int, _ sizes: (size: Int, stored: Int), _ decompressor: inout Decompressor
    ) throws(Failure) -> OutputBuffer {
        guard let bytes = try origin.bytes(place..<place + sizes.stored) else { throw Self.damage }
        let output = try OutputBuffer(capacity: sizes.size)
        let memory = output.memory
        let count = bytes.span.bytes.withUnsafeBytes { bytes in
            try? decompressor.decompress(bytes, into: memory, offset: 0)
        }
        guard count == sizes.size else { throw Self.damage }
        return output
    }

    static let damage = Failure.archive("the index of its members is damaged")
}
