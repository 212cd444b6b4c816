import TestSupport
import Testing

@testable import ZstdCodec

struct SeekTableTests {
    static func table(_ count: Int, hasChecksums: Bool) -> SeekTable {
        var table = SeekTable(hasChecksums: hasChecksums)
        for index in 0..<count {
            let number = UInt32(truncatingIfNeeded: index &* 0x9E37_79B9)
            table.append(
                SeekTable.Entry(
                    compressedSize: number, decompressedSize: ~number, checksum: hasChecksums ? number ^ 0x55 : 0))
        }
        return table
    }

    @Test(arguments: [0, 1, 2, 3, 100, 4097], [true, false])
    func `a table is read as it was written`(count: Int, hasChecksums: Bool) {
        let table = Self.table(count, hasChecksums: hasChecksums)
        #expect(table.encoded.parsed { SeekTable($0) } == table)
        #expect(table.encoded.count == 17 + count * (hasChecksums ? 12 : 8))
    }

    /// zstd's contrib/seekable_format 0.1.0, byte for byte.
    @Test func `the bytes are those of the seekable format`() {
        var table = SeekTable(hasChecksums: true)
        table.append(SeekTable.Entry(compressedSize: 0x0102_0304, decompressedSize: 0x0506_0708, checksum: 0x090A_0B0C))
        #expect(
            table.encoded == [
                0x5E, 0x2A, 0x4D, 0x18, 21, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9, 1, 0, 0, 0, 0x80,
                0xB1, 0xEA, 0x92, 0x8F,
            ])
    }

    @Test(arguments: [true, false])
    func `the footer tells the size of the table`(hasChecksums: Bool) {
        let encoded = Self.table(7, hasChecksums: hasChecksums).encoded
        #expect(Array(encoded.suffix(9)).parsed { SeekTable.encodedSize(footer: $0) } == UInt64(encoded.count))
    }

    @Test(arguments: Self.footerBits, [true, false])
    func `a changed bit of the magic numbers, the size, the count or the reserved bits is not believed`(
        bit: Int, hasChecksums: Bool
    ) {
        var encoded = Self.table(5, hasChecksums: hasChecksums).encoded
        let byte = bit < 64 ? bit / 8 : encoded.count - 9 + (bit - 64) / 8
        encoded[byte] ^= 1 << (bit % 8)
        #expect(encoded.parsed { SeekTable($0) } == nil)
    }

    /// Bits of the skippable header and of the footer, but the two of the descriptor that may have any value.
    static let footerBits = (0..<64 + 72).filter { $0 != 64 + 32 && $0 != 64 + 33 }

    @Test(arguments: 0..<29 + 12)
    func `a table that is cut or longer than it says is none`(count: Int) {
        let encoded = Self.table(2, hasChecksums: true).encoded
        #expect(Array(encoded.prefix(count)).parsed { SeekTable($0) } == nil)
        #expect(Array(encoded.suffix(count)).parsed { SeekTable($0) } == nil)
        #expect((encoded + [UInt8](repeating: 0, count: count + 1)).parsed { SeekTable($0) } == nil)
    }

    @Test(arguments: [UInt32(0x800_0001), 0x1000_0000, .max])
    func `more frames than the format allows are refused`(count: UInt32) {
        var footer: [UInt8] = []
        footer.appendLittleEndian(count)
        footer.append(0x80)
        footer.appendLittleEndian(UInt32(0x8F92_EAB1))
        #expect(footer.parsed { SeekTable.encodedSize(footer: $0) } == nil)
    }

    @Test func `sums are of 64 bits`() {
        var table = SeekTable(hasChecksums: false)
        for _ in 0..<3 {
            table.append(SeekTable.Entry(compressedSize: .max, decompressedSize: .max, checksum: 0))
        }
        #expect(table.compressedSize == 3 * UInt64(UInt32.max))
        #expect(table.decompressedSize == 3 * UInt64(UInt32.max))
    }

    /// A frame with a checksum ends in the low half of XXH64 of its content (RFC 8878, 3.1.1).
    @Test func `the checksum of nothing is that of an empty frame`() throws {
        #expect(try frame([]).suffix(4).elementsEqual([0x99, 0xE9, 0xD8, 0x51]))
        #expect(SeekTable.checksumOfNothing == 0x51D8_E999)
    }
}
