/// How a run of the protected bytes lies in blocks, and the blocks in groups (docs/format.md, "Parity").
///
/// Block i belongs to group i mod `groups`. The parity blocks follow the data blocks in the same order: parity block t
/// belongs to group (n + t) mod `groups`, and to row t / `groups`, where n is the number of data blocks. So a run of
/// blocks anywhere takes as many of each group.
package struct ParitySet: Equatable, Sendable {
    package static let blockSizes = 64...(64 << 10)
    package static let mostGroups = 64

    /// Bytes of a block; the last data block may have fewer, and counts as if zeros followed.
    package let blockSize: Int
    package let groups: Int
    /// K: the number that the factors of the code depend on.
    package let capacity: Int
    /// The parity blocks of each group.
    package let rows: Int
    /// Protected bytes.
    package let length: UInt64

    /// - Returns: nil if the numbers contradict each other, or are larger than any encoder's.
    package init?(blockSize: Int, groups: Int, capacity: Int, rows: Int, length: UInt64) {
        (self.blockSize, self.groups, self.capacity, self.rows) = (blockSize, groups, capacity, rows)
        self.length = length
        guard Self.blockSizes.contains(blockSize), 1...Self.mostGroups ~= groups, 1...254 ~= capacity,
            1...(255 - capacity) ~= rows, length > 0, length <= UInt64(groups * capacity * blockSize),
            blockCount >= groups
        else { return nil }
    }

    package var blockCount: Int { Int((length + UInt64(blockSize) - 1) / UInt64(blockSize)) }
    var parityCount: Int { groups * rows }
    /// Data blocks and, after them, parity blocks.
    var allCount: Int { blockCount + parityCount }

    func isData(_ index: Int) -> Bool { index < blockCount }

    /// The data blocks of a group.
    func count(in group: Int) -> Int { (blockCount - group + groups - 1) / groups }

    /// The index of a block of a group among all: its data blocks come first, and then a parity block of each row.
    func index(_ number: Int, in group: Int) -> Int {
        let count = count(in: group)
        return number < count ? number * groups + group : blockCount + parity(row: number - count, of: group)
    }

    /// The group that a block belongs to, and its number in it.
    func owner(of index: Int) -> (group: Int, number: Int) {
        let group = index % groups
        return isData(index) ? (group, index / groups) : (group, count(in: group) + (index - blockCount) / groups)
    }

    /// Where the parity block of a row lies among all.
    private func parity(row: Int, of group: Int) -> Int {
        row * groups + (group + groups - blockCount % groups) % groups
    }

    func size(of index: Int) -> Int {
        index == blockCount - 1 ? Int(length - UInt64(index) * UInt64(blockSize)) : blockSize
    }

    // MARK: The frame

    /// Where the record of a group lies among those of all groups.
    func recordOffset(of group: Int) -> Int {
        let before = group * (GroupRecord.fixedSize + BlockMark.size * (blockCount / groups + rows))
        return before + BlockMark.size * min(group, blockCount % groups)
    }

    func recordSize(of group: Int) -> Int { GroupRecord.size(marks: count(in: group) + rows) }

    /// Bytes of the records of all groups.
    var recordsSize: Int { recordOffset(of: groups) }

    var paritySize: Int { parityCount * blockSize }

    /// Bytes of its skippable frame: a header, the records, the parity blocks and the records again.
    package var frameSize: Int { ParityFrame.headerSize + 2 * recordsSize + paritySize }

    /// Where records begin in the frame.
    func recordsStart(copy: Int) -> Int { ParityFrame.headerSize + copy * (recordsSize + paritySize) }
}

/// What frames of parity begin with: `0x184D2A56 | size u32 | "SLUICE" | version u8 = 1 | kind u8`.
package enum ParityFrame: UInt8 {
    case set = 1
    case description = 2
    case record = 3

    /// The magic number of the skippable frames.
    package static let magic: UInt32 = 0x184D_2A56
    static let version: UInt8 = 1
    package static let headerSize = 16

    /// The eight bytes by which a frame or a record is recognised.
    var tag: [UInt8] { [0x53, 0x4C, 0x55, 0x49, 0x43, 0x45, Self.version, rawValue] }
    /// The same as a little-endian number. A span of an array that is only a temporary value would be read when it is
    /// gone.
    private var tagNumber: UInt64 { 0x4543_4955_4C53 | UInt64(Self.version) << 48 | UInt64(rawValue) << 56 }

    /// The header of a frame with so many bytes.
    func header(frameSize: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: Self.magic)
        bytes.append(littleEndian: UInt32(frameSize - 8))
        return bytes + tag
    }

    /// The kind of the skippable frame that begins so; nil if it is none of parity.
    package static func kind(of bytes: RawSpan) -> ParityFrame? {
        guard bytes.byteCount >= headerSize, bytes.number(at: 0, as: UInt32.self) == magic else { return nil }
        return [set, description].first { $0.isTag(bytes.extracting(8..<16)) }
    }

    func isTag(_ bytes: RawSpan) -> Bool {
        bytes.byteCount >= 8 && bytes.number(at: 0, as: UInt64.self) == tagNumber
    }
}

extension BlockMark {
    static let size = 12
}

/// The marks of a group's blocks: `"SLUICE" | version u8 | kind u8 = 3 | set u32 | group u32 | n x { CRC-32C u32, XXH64
/// u64 } | XXH64 u64`.
struct GroupRecord {
    static let fixedSize = 24

    static func size(marks: Int) -> Int { fixedSize + BlockMark.size * marks }

    static func encoded(set: Int, group: Int, _ marks: some Sequence<BlockMark>) -> [UInt8] {
        var bytes = front(set: set, group: group)
        for mark in marks {
            bytes.append(littleEndian: mark.crc)
            bytes.append(littleEndian: mark.hash)
        }
        bytes.append(littleEndian: xxh64(bytes.span.bytes))
        return bytes
    }

    /// The sixteen bytes by which a record is recognised.
    static func front(set: Int, group: Int) -> [UInt8] {
        var bytes = ParityFrame.record.tag
        bytes.append(littleEndian: UInt32(set))
        bytes.append(littleEndian: UInt32(group))
        return bytes
    }

    /// - Returns: nil if these bytes are not exactly that record.
    static func decoded(_ bytes: RawSpan, set: Int, group: Int) -> [BlockMark]? {
        let end = bytes.byteCount - 8
        guard end >= 16, bytes.number(at: end, as: UInt64.self) == xxh64(bytes.extracting(..<end)) else { return nil }
        let front = front(set: set, group: group)
        guard front.indices.allSatisfy({ bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == front[$0] }) else {
            return nil
        }
        return stride(from: 16, to: end, by: BlockMark.size).map { offset in
            BlockMark(
                crc: bytes.number(at: offset, as: UInt32.self), hash: bytes.number(at: offset + 4, as: UInt64.self))
        }
    }
}

extension ParitySet {
    /// The records of all groups.
    ///
    /// - Parameter marks: those of all data blocks and, after them, parity blocks.
    func records(number: Int, _ marks: [BlockMark]) -> [UInt8] {
        (0..<groups).flatMap { group in
            let blocks = (0..<count(in: group) + rows).lazy.map { marks[index($0, in: group)] }
            return GroupRecord.encoded(set: number, group: group, blocks)
        }
    }
}
