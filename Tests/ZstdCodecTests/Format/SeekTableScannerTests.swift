import Testing

@testable import ZstdCodec

/// A table that passes by says the same as one that is kept.
struct SeekTableScannerTests {
    /// What is kept of a table whose bytes come in pieces of a size.
    static func outline(_ encoded: [UInt8], pieces size: Int) -> SeekTableOutline? {
        let table = encoded.dropFirst(FrameFormat.skippableHeaderSize)
        var scanner = SeekTableScanner(size: UInt64(table.count))
        var rest = table
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            scanner.take(piece.span.bytes)
            rest = rest.dropFirst(size)
        }
        return scanner.outline
    }

    @Test(arguments: [0, 1, 2, 3, 100, 4097], [true, false])
    func `it comes down to the sizes that are listed`(count: Int, hasChecksums: Bool) throws {
        let table = SeekTableTests.table(count, hasChecksums: hasChecksums)
        var digest = SeekTableDigest(hasChecksums: hasChecksums)
        for entry in table.entries {
            digest.append(
                UInt64(entry.compressedSize), contentSize: UInt64(entry.decompressedSize), checksum: entry.checksum)
        }
        for size in [1, 2, 3, 5, 12, 1 << 20] {
            let outline = try #require(Self.outline(table.encoded, pieces: size))
            #expect(outline == digest.outline)
        }
    }

    @Test(arguments: [true, false])
    func `another size, or another order, comes down to something else`(hasChecksums: Bool) {
        let table = SeekTableTests.table(5, hasChecksums: hasChecksums)
        let outline = Self.outline(table.encoded, pieces: 64)
        for index in 0..<5 {
            var entries = table.entries
            entries[index].compressedSize ^= 1
            #expect(Self.outline(Self.table(entries, hasChecksums).encoded, pieces: 64) != outline)
            entries = table.entries
            entries[index].decompressedSize ^= 1
            #expect(Self.outline(Self.table(entries, hasChecksums).encoded, pieces: 64) != outline)
        }
        #expect(Self.outline(Self.table(table.entries.reversed(), hasChecksums).encoded, pieces: 64) != outline)
        #expect(Self.outline(Self.table(table.entries.dropLast(), hasChecksums).encoded, pieces: 64) != outline)
    }

    static func table(_ entries: [SeekTable.Entry], _ hasChecksums: Bool) -> SeekTable {
        var table = SeekTable(hasChecksums: hasChecksums)
        for entry in entries { table.append(entry) }
        return table
    }

    @Test(arguments: 1...9, [true, false])
    func `what contradicts itself is no table`(fromEnd: Int, hasChecksums: Bool) {
        var encoded = SeekTableTests.table(7, hasChecksums: hasChecksums).encoded
        // The lowest two bits of the descriptor mean nothing.
        encoded[encoded.count - fromEnd] ^= 0b100
        #expect(Self.outline(encoded, pieces: 64) == nil)
    }

    @Test func `less than a footer is no table`() {
        for size in 0..<9 { #expect(Self.outline([UInt8](repeating: 0, count: 8 + size), pieces: 1) == nil) }
    }
}
