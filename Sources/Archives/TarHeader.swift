internal import Glibc

/// The header of a member: a block of 512 bytes with a checksum (POSIX 1003.1 pax, ustar; GNU tar; Unix version 7).
struct TarHeader {
    /// The offsets of fields (POSIX 1003.1, pax, "ustar Header Block").
    private enum Field {
        // Not tuples: Swift would check their initialization at each use.
        static let name = 0..<100, mode = 100..<108, user = 108..<116, group = 116..<124
        static let size = 124..<136, modified = 136..<148, checksum = 148..<156
        static let flag = 156, link = 157..<257, magic = 257..<265
        static let userName = 265..<297, groupName = 297..<329, major = 329..<337, minor = 337..<345
        static let prefix = 345..<500
        /// GNU's old format for sparse files.
        static let holes = 386, isExtended = 482, realSize = 483..<495
    }

    /// The largest size of a long name, or of a pax header, in bytes.
    static let mostExtension: UInt64 = 1 << 20
    /// `ustar` and a zero, little-endian; the version after them is ignored. GNU uses `ustar`, two spaces and a zero.
    private static let posix: UInt64 = 0x0072_6174_7375, gnu: UInt64 = 0x0020_2072_6174_7375

    private let block: UnsafeRawBufferPointer

    /// - Parameter block: 512 bytes that must stay valid.
    /// - Returns: nil if the checksum is wrong.
    init?(_ block: UnsafeRawBufferPointer) {
        self.block = block
        guard let checksum = Self.number(in: block, Field.checksum),
            checksum == Self.sum(block) || checksum == Self.signedSum(block)
        else { return nil }
    }

    var flag: UInt8 { block[Field.flag] }
    var isDirectory: Bool { flag == ArchiveMember.Kind.directory.rawValue }
    /// Nil if it is not a number, or negative.
    var size: UInt64? { Self.size(in: block, Field.size) }
    var link: [UInt8] { Array(text(in: Field.link)) }
    var isGNU: Bool { magic == Self.gnu }
    private var isPosix: Bool { magic & 0xFFFF_FFFF_FFFF == Self.posix }
    private var magic: UInt64 {
        UInt64(littleEndian: block.loadUnaligned(fromByteOffset: Field.magic.lowerBound, as: UInt64.self))
    }

    /// The part of GNU's map of holes in this header; nil if it is invalid.
    var sparseMap: SparseMap? {
        var map = SparseMap()
        return map.take(block: block, at: Field.holes, count: 4) ? map : nil
    }

    /// Whether another block of GNU's map of holes follows this header.
    var hasMoreHoles: Bool { block[Field.isExtended] != 0 }
    /// The content size of a sparse file in bytes, including holes.
    var realSize: UInt64? { Self.size(in: block, Field.realSize) }

    var path: [UInt8] {
        let (name, prefix) = (text(in: Field.name), text(in: Field.prefix))
        if !isPosix || prefix.isEmpty { return Array(name) }
        var path: [UInt8] = []
        path.reserveCapacity(prefix.count + 1 + name.count)
        path += prefix
        path.append(UInt8(ascii: "/"))
        path += name
        return path
    }

    /// The member without its position and without extensions; nil if a number is invalid.
    func member(like last: ArchiveMember.Owner?) -> ArchiveMember? {
        let kind = flag == 0 ? .file : ArchiveMember.Kind(rawValue: flag)
        guard let mode = number(Field.mode), let owner = owner(like: last), let seconds = number(Field.modified),
            let device = kind.isDevice ? device : ArchiveMember.Device()
        else { return nil }
        return ArchiveMember(
            path: path, kind: kind, link: kind.isLink ? link : [], mode: UInt32(truncatingIfNeeded: mode), owner: owner,
            modified: ArchiveMember.Time(seconds: seconds), device: device)
    }

    private var device: ArchiveMember.Device? {
        guard let major = number(Field.major), let minor = number(Field.minor) else { return nil }
        return ArchiveMember.Device(major: UInt32(truncatingIfNeeded: major), minor: UInt32(truncatingIfNeeded: minor))
    }

    /// - Parameter last: the owner of the last member; equal names share its memory.
    private func owner(like last: ArchiveMember.Owner?) -> ArchiveMember.Owner? {
        guard let user = number(Field.user), let group = number(Field.group) else { return nil }
        var owner = ArchiveMember.Owner(user: user, group: group)
        guard isPosix || isGNU else { return owner }
        let names = (text(in: Field.userName), text(in: Field.groupName))
        if let last, names.0.elementsEqual(last.userName), names.1.elementsEqual(last.groupName) {
            (owner.userName, owner.groupName) = (last.userName, last.groupName)
        } else {
            (owner.userName, owner.groupName) = (Array(names.0), Array(names.1))
        }
        return owner
    }

    /// The text up to the first zero.
    private func text(in range: Range<Int>) -> UnsafeRawBufferPointer {
        let start = block.baseAddress?.advanced(by: range.lowerBound).assumingMemoryBound(to: CChar.self)
        return UnsafeRawBufferPointer(start: start, count: start.map { strnlen($0, range.count) } ?? 0)
    }

    private func number(_ range: Range<Int>) -> Int64? { Self.number(in: block, range) }

    /// A non-negative number; nil if it is invalid or negative.
    static func size(in block: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64? {
        number(in: block, range).flatMap(UInt64.init(exactly:))
    }

    /// A number in octal digits, or in GNU's binary format; 0 if the field is empty. Nil if it is invalid.
    private static func number(in block: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        let first = block[range.lowerBound]
        if first & 0x80 != 0 { return binary(in: block, range) }
        var (value, position): (Int64, Int) = (0, range.lowerBound)
        while position < range.upperBound, block[position] == UInt8(ascii: " ") { position += 1 }
        while position < range.upperBound {
            let digit = block[position] &- UInt8(ascii: "0")
            if digit > 7 { break }
            value = value << 3 | Int64(digit)
            position += 1
        }
        // Twelve digits fill a field; otherwise, a space or a zero must follow.
        let isEnded = position == range.upperBound || block[position] == 0 || block[position] == UInt8(ascii: " ")
        return isEnded ? value : nil
    }

    /// A number in two's complement, marked by its first bit.
    private static func binary(in block: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        guard let first = block[range].first, first == 0x80 || first == 0xFF else { return nil }
        var value: Int64 = first == 0xFF ? -1 : 0
        for byte in block[range].dropFirst() {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 256)
            if overflow { return nil }
            value = shifted | Int64(byte)
        }
        return value
    }

    /// The sum of all bytes, with the checksum field counted as spaces.
    private static func sum(_ block: UnsafeRawBufferPointer) -> Int64 {
        // Sixteen bytes at a time, in 16-bit lanes: each adds up only 32 of them.
        var sums = SIMD16<UInt16>()
        for offset in stride(from: 0, to: block.count, by: 16) {
            let bytes = block.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
            sums &+= SIMD16(truncatingIfNeeded: bytes)
        }
        let own = block.loadUnaligned(fromByteOffset: Field.checksum.lowerBound, as: SIMD8<UInt8>.self)
        // The sum of 512 bytes needs more than 16 bits; that of 8 bytes does not.
        let (sum, ownSum) = (SIMD16<UInt32>(truncatingIfNeeded: sums), SIMD8<UInt16>(truncatingIfNeeded: own))
        return Int64(sum.wrappedSum()) - Int64(ownSum.wrappedSum()) + 8 * 32
    }

    /// The same sum with signed bytes, as computed by some old programs.
    private static func signedSum(_ block: UnsafeRawBufferPointer) -> Int64 {
        block.indices.reduce(0) { sum, index in
            sum + (Field.checksum.contains(index) ? 32 : Int64(Int8(bitPattern: block[index])))
        }
    }
}
