import Testing

@testable import ZstdCodec

struct PartTrailerTests {
    static let origin = PartTrailer.Origin(size: 5000, seconds: -1, nanoseconds: 999_999_999, checksums: (1, 2))

    static func trailer(_ share: PartNumber, frameSize: Int = 1024) -> PartTrailer {
        var trailer = PartTrailer(
            share, origin: origin,
            parameters: PartTrailer.Parameters(CompressionOptions(level: -5, frameSize: frameSize)))
        let bytes = share.bytes(of: origin.size, frameSize: UInt64(frameSize))
        for start in stride(from: bytes.lowerBound, to: bytes.upperBound, by: frameSize) {
            let size = min(UInt64(frameSize), bytes.upperBound - start)
            trailer.append(SeekTable.Entry(compressedSize: 9, decompressedSize: UInt32(size), checksum: UInt32(start)))
        }
        return trailer
    }

    @Test(arguments: 1...7)
    func `a trailer is what was written`(number: Int) throws {
        let share = try #require(PartNumber(number, of: 7))
        let trailer = Self.trailer(share)
        let bytes = trailer.encoded
        #expect(bytes.count == trailer.encodedSize)
        let footer = Array(bytes.suffix(PartTrailer.footerSize))
        #expect(footer.parsed { PartTrailer.encodedSize(footer: $0) } == bytes.count)
        #expect(bytes.parsed { PartTrailer($0) } == trailer)
        #expect(trailer.isConsistent)
    }

    @Test func `no byte of a trailer may change, nor be missing`() throws {
        let bytes = Self.trailer(try #require(PartNumber(1, of: 2))).encoded
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            #expect(changed.parsed { PartTrailer($0) } == nil)
            #expect(Array(bytes[..<index]).parsed { PartTrailer($0) } == nil)
        }
    }

    @Test(arguments: [0, 1, 1023, 1024, 1025, 99_999, 1 << 40, UInt64.max], [1, 2, 3, 16, 1_000_000])
    func `shares are all of a content, in order, and none is a frame larger than another by two`(
        size: UInt64, count: Int
    ) throws {
        let frames = PartNumber.frameCount(of: size, frameSize: 1024)
        var (end, offset) = (UInt64(0), UInt64(0))
        for number in Set([1, 2, 3, count / 2, count / 2 + 1, count - 1, count]).sorted() where number >= 1 {
            guard let share = PartNumber(number, of: count) else { continue }
            let (own, bytes) = (share.range(of: frames), share.bytes(of: size, frameSize: 1024))
            let least = frames / UInt64(count)
            #expect((least...least + 1).contains(own.upperBound - own.lowerBound))
            if let before = PartNumber(number - 1, of: count) {
                end = before.range(of: frames).upperBound
                offset = before.bytes(of: size, frameSize: 1024).upperBound
            }
            #expect(own.lowerBound == end)
            #expect(bytes.lowerBound == offset)
            if number == count { #expect(own.upperBound == frames && bytes.upperBound == size) }
        }
    }

    @Test func `a trailer that claims more than a machine has is inconsistent, and no crash`() throws {
        let share = try #require(PartNumber(1, of: 1))
        for frameSize: UInt32 in [0, 1, .max] {
            var parameters = PartTrailer.Parameters(CompressionOptions())
            parameters.frameSize = frameSize
            let origin = PartTrailer.Origin(size: .max, seconds: 0, nanoseconds: 0, checksums: (0, 0))
            #expect(!PartTrailer(share, origin: origin, parameters: parameters).isConsistent)
            // Whole lines may have any sizes, even none: only the other parts tell.
            parameters.hasLines = true
            #expect(PartTrailer(share, origin: origin, parameters: parameters).isConsistent == (frameSize > 0))
        }
    }
}
