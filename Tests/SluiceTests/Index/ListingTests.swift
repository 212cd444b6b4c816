import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice

struct ListingTests {
    /// Smaller frames are found by reading everything.
    private static let size = 80 << 10
    private static let frames: [[UInt8]] = (UInt64(0)..<20).map { seed in
        var numbers = SeededNumbers(seed: seed)
        return (try? frame((0..<size).map { _ in UInt8.random(in: 0...255, using: &numbers) })) ?? []
    }

    /// Twenty frames, and their table.
    private static func file(_ change: (inout [SeekTable.Entry]) -> Void = { _ in }) throws -> [UInt8] {
        var entries = frames.map {
            SeekTable.Entry(compressedSize: UInt32($0.count), decompressedSize: UInt32(size), checksum: 0)
        }
        change(&entries)
        var table = SeekTable(hasChecksums: false)
        for entry in entries { table.append(entry) }
        return frames.flatMap(\.self) + table.encoded
    }

    private static func listing(_ bytes: [UInt8], places: Int) throws -> Listing? {
        let scratch = try Scratch()
        let file = try FileDescriptor.open(scratch.write(bytes, to: "a"), .readOnly)
        defer { try? file.close() }
        return try Listing(bySeekTableOf: Source(file), samples: places)
    }

    @Test(arguments: [1, 4, 19, 20, 1000])
    func `a table that is true is believed, however few places are looked at`(places: Int) throws {
        let listing = try #require(try Self.listing(try Self.file(), places: places))
        #expect(listing.frames == 20 && listing.contentSize == UInt64(20 * Self.size) && listing.hasSeekTable)
    }

    @Test(arguments: 0..<20)
    func `a number that was damaged shows, however few places are looked at`(index: Int) throws {
        let content = try Self.file { $0[index].decompressedSize ^= 1 << 20 }
        #expect(try Self.listing(content, places: 2) == nil)
        let compressed = try Self.file { $0[index].compressedSize += 1 }
        #expect(try Self.listing(compressed, places: 2) == nil)
    }
}
