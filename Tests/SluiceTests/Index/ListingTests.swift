import StreamTestSupport
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

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

    /// With a table and without, one frame and many, and what is no sequence of frames.
    @Test(arguments: [1, 1000, 1 << 20])
    func `a stream is listed as its file is`(piece: Int) throws {
        let whole = try Self.file()
        for bytes in [whole, Self.frames[0], Self.frames[0] + Self.frames[1], Array(whole.dropLast(9)), [1, 2, 3], []] {
            let scratch = try Scratch()
            let file = try FileDescriptor.open(scratch.write(bytes, to: "a"), .readOnly)
            defer { try? file.close() }
            let listed = Result { () throws(Failure) in try Listing(of: Source(file)) }
            let streamed = Result { () throws(Failure) in
                try Listing(reading: ScriptedSource(bytes, piece: piece == 1 && bytes.count > 100_000 ? 77 : piece))
            }
            #expect(streamed == listed)
        }
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
