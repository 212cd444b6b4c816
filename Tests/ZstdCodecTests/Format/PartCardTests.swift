import Testing

@testable import ZstdCodec

struct PartCardTests {
    static let origin = PartCard.Origin(size: 5000, seconds: -1, nanoseconds: 999_999_999, checksums: (1, 2))

    static func card(_ share: PartNumber, frameSize: Int = 1024) -> PartCard {
        var card = PartCard(
            share, origin: origin, making: PartCard.Making(CompressionOptions(level: -5, frameSize: frameSize)))
        let bytes = share.bytes(of: origin.size, frameSize: UInt64(frameSize))
        for start in stride(from: bytes.lowerBound, to: bytes.upperBound, by: frameSize) {
            let size = min(UInt64(frameSize), bytes.upperBound - start)
            card.append(SeekTable.Entry(compressedSize: 9, decompressedSize: UInt32(size), checksum: UInt32(start)))
        }
        return card
    }

    @Test(arguments: 1...7)
    func `a card is what was written`(number: Int) throws {
        let share = try #require(PartNumber(number, of: 7))
        let card = Self.card(share)
        let bytes = card.encoded
        #expect(bytes.count == card.encodedSize)
        let footer = Array(bytes.suffix(PartCard.footerSize))
        #expect(footer.parsed { PartCard.encodedSize(footer: $0) } == bytes.count)
        #expect(bytes.parsed { PartCard($0) } == card)
        #expect(card.isConsistent)
    }

    @Test func `no byte of a card may change, nor be missing`() throws {
        let bytes = Self.card(try #require(PartNumber(1, of: 2))).encoded
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            #expect(changed.parsed { PartCard($0) } == nil)
            #expect(Array(bytes[..<index]).parsed { PartCard($0) } == nil)
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

    @Test func `a card that claims more than a machine has is inconsistent, and no crash`() throws {
        let share = try #require(PartNumber(1, of: 1))
        for frameSize: UInt32 in [0, 1, .max] {
            var making = PartCard.Making(CompressionOptions())
            making.frameSize = frameSize
            let origin = PartCard.Origin(size: .max, seconds: 0, nanoseconds: 0, checksums: (0, 0))
            #expect(!PartCard(share, origin: origin, making: making).isConsistent)
            // Whole lines may have any sizes, even none: only the other parts tell.
            making.hasLines = true
            #expect(PartCard(share, origin: origin, making: making).isConsistent == (frameSize > 0))
        }
    }
}
