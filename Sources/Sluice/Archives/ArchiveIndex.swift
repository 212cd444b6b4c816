/// Which members an archive has, and where: a skippable frame in front of the seek table.
///
/// Layout, little-endian: `0x184D2A55 | size u32 | "SLUICE" | version u8 = 1 | flags u8 = 0 | content size u64 | B u32
/// | B x { members u32, end u64, names u32, compressed u32, fields u32, compressed u32 } | checksum u32 | B x { names,
/// fields }`. The checksum is the low 32 bits of XXH64 of what is between the size and it; names and fields are
/// Zstandard frames with checksums.
package struct ArchiveIndex: Sendable {
    /// Members that are listed together.
    struct Block: Sendable {
        let count: Int
        /// The first byte of the archive after them.
        let end: UInt64
        /// Bytes, decompressed and compressed.
        let names: (size: Int, stored: Int)
        let fields: (size: Int, stored: Int)
    }

    static let magic: UInt32 = 0x184D_2A55
    private static let name = Array("SLUICE".utf8)
    private static let version: UInt8 = 1
    /// Bytes in front of the list of blocks, from the name on, and of each block there.
    private static let (headSize, blockSize) = (20, 28)
    /// The most bytes of the frame, of members in a block, and of a column.
    package static let mostBytes = 256 << 20
    private static let (mostMembers, mostColumn) = (1 << 20, 64 << 20)
    /// Bytes in front of a skippable frame's content.
    private static let frameHeader = 8

    /// Bytes of the archive.
    package let contentSize: UInt64
    private let blocks: [Block]
    private let bytes: [UInt8]
    /// Where the columns of each block begin.
    private let places: [Int]

    /// How many members there are.
    package var count: Int { blocks.reduce(0) { $0 + $1.count } }
    var memory: Int { bytes.count }

    /// Whether a frame with these first bytes may be an index.
    static func begins(with bytes: [UInt8]) -> Bool {
        bytes.count >= 15 && UInt32(littleEndianBytes: bytes[0..<4]) == magic && bytes[8..<14].elementsEqual(name)
            && bytes[14] == version
    }

    /// Reads a whole skippable frame.
    ///
    /// - Returns: nil if it is no index of this version, or a byte of its first part changed.
    package init?(_ frame: [UInt8]) {
        guard Self.begins(with: frame), frame.count <= Self.mostBytes, frame.count >= Self.frameHeader + Self.headSize,
            UInt64(littleEndianBytes: frame[4..<8]) == UInt64(frame.count - Self.frameHeader), frame[15] == 0
        else { return nil }
        contentSize = UInt64(littleEndianBytes: frame[16..<24])
        let count = UInt64(littleEndianBytes: frame[24..<28])
        let list = Self.frameHeader + Self.headSize
        guard count <= UInt64((frame.count - list) / Self.blockSize) else { return nil }
        let end = list + Int(count) * Self.blockSize
        guard end + 4 <= frame.count, contentSize < 1 << 62,
            (try? contentChecksum(Array(frame[Self.frameHeader..<end])))
                == UInt32(littleEndianBytes: frame[end..<end + 4])
        else { return nil }
        var (blocks, places, size, last) = ([Block](), [Int](), end + 4, UInt64(0))
        for offset in stride(from: list, to: end, by: Self.blockSize) {
            guard let block = Self.block(frame, at: offset), block.end > last, block.end <= contentSize else {
                return nil
            }
            places.append(size)
            size += block.names.stored + block.fields.stored
            last = block.end
            blocks.append(block)
        }
        guard size == frame.count else { return nil }
        (self.blocks, self.places, bytes) = (blocks, places, frame)
    }

    private static func block(_ frame: [UInt8], at offset: Int) -> Block? {
        func number(_ place: Int) -> Int { Int(UInt32(littleEndianBytes: frame[offset + place..<offset + place + 4])) }
        let (count, names, fields) = (number(0), (number(12), number(16)), (number(20), number(24)))
        guard (1...mostMembers).contains(count), max(names.0, fields.0) <= mostColumn else { return nil }
        let end = UInt64(littleEndianBytes: frame[offset + 4..<offset + 12])
        return Block(count: count, end: end, names: names, fields: fields)
    }

    static func frame(_ blocks: [Block], _ columns: [UInt8], contentSize: UInt64) throws(Failure) -> [UInt8] {
        let size = frameHeader + headSize + blocks.count * blockSize + 4 + columns.count
        if size > mostBytes { throw .archive("it has too many members for an index") }
        var frame = [UInt8](skippable: magic, size: size)
        frame += name + [version, 0]
        frame.appendLittleEndian(contentSize)
        frame.appendLittleEndian(UInt32(blocks.count))
        for block in blocks {
            frame.appendLittleEndian(UInt32(block.count))
            frame.appendLittleEndian(block.end)
            for number in [block.names.size, block.names.stored, block.fields.size, block.fields.stored] {
                frame.appendLittleEndian(UInt32(number))
            }
        }
        let checked = Array(frame[frameHeader...])
        frame.appendLittleEndian(try codec(contentChecksum(checked)))
        return frame + columns
    }

    package var blockCount: Int { blocks.count }

    /// Calls `body` with members in turn: all, or those whose names are wanted; of other blocks only names are read.
    ///
    /// - Parameter judge: is not asked about names that begin as one that it does not want.
    /// - Throws: `archive` if the index is damaged; what `body` throws.
    package func visit(
        where judge: (UnsafeRawBufferPointer) -> NameVerdict = { _ in .wanted },
        _ body: (ArchiveMember) throws(Failure) -> Void
    ) throws(Failure) {
        var decompressor = try codec(Decompressor())
        for block in blocks.indices { try visit(block, &decompressor, where: judge, body) }
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
        let output = try OutputBuffer(capacity: sizes.size)
        let memory = output.memory
        let count = bytes.span.bytes.withUnsafeBytes { bytes in
            try? decompressor.decompress(
                UnsafeRawBufferPointer(rebasing: bytes[place..<place + sizes.stored]), into: memory, offset: 0)
        }
        guard count == sizes.size else { throw Self.damage }
        return output
    }

    static let damage = Failure.archive("the index of its members is damaged")
}
