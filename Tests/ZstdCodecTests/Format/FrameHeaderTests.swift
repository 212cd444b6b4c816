import CZstd
import StreamTestSupport
import TestSupport
import Testing

@testable import ZstdCodec

struct FrameHeaderTests {
    /// Distinct bytes, so that a field that is read from the wrong place shows.
    static let fields = (1...13).map { UInt8($0) }

    @Test(arguments: (0...UInt8.max).filter { $0 & 0b1000 == 0 })
    func `the content size is the one that libzstd reads`(descriptor: UInt8) throws {
        let bytes = HandmadeFrame(descriptor: descriptor, fields: Self.fields).bytes
        let size = try #require(FrameHeader.size(descriptor: descriptor))
        let header = Array(bytes[..<size]).parsed { FrameHeader($0) }
        let claim = ZSTD_getFrameContentSize(bytes, bytes.count)
        #expect(header.contentSize == (claim == UInt64.max ? nil : claim))
        #expect(header.size == size)
        #expect(header.hasChecksum == (descriptor & 0b100 != 0))
    }

    @Test(arguments: (0...UInt8.max).filter { $0 & 0b1000 != 0 })
    func `a header with the reserved bit is none`(descriptor: UInt8) {
        #expect(FrameHeader.size(descriptor: descriptor) == nil)
        #expect(throws: CodecFailure.corrupt(reason: "a reserved bit of the header is set", offset: 0)) {
            try scan(HandmadeFrame(descriptor: descriptor, fields: Self.fields).bytes)
        }
    }

    /// RFC 8878, 3.1.1.1.2: windowBase = 2^(10 + exponent), windowAdd = windowBase / 8 * mantissa.
    @Test(arguments: [
        (UInt8(0), UInt64(1024)), (1, 1152), (0b111, 1920), (0b1_000, 2048), (17 << 3, 1 << 27), (21 << 3, 1 << 31),
        (0xFF, 15 << 38),
    ])
    func `the window is exponent and mantissa`(byte: UInt8, window: UInt64) {
        let header = HandmadeFrame(descriptor: 0, fields: [byte]).bytes[..<6]
        #expect(Array(header).parsed { FrameHeader($0) }.windowSize == window)
    }

    @Test func `a single segment needs its whole content as the window`() {
        let fields: [UInt8] = [0, 0, 0, 0x40]
        let header = Array(HandmadeFrame(descriptor: 0b1010_0000, fields: fields).bytes[..<9]).parsed {
            FrameHeader($0)
        }
        #expect(header.windowSize == 1 << 30)
        #expect(header.contentSize == 1 << 30)
    }

    @Test(arguments: [
        (UInt8(0), UInt32(0)), (1, 0x02), (2, 0x0302), (3, 0x0504_0302),
    ])
    func `the dictionary has one, two or four bytes`(flag: UInt8, identifier: UInt32) throws {
        let size = try #require(FrameHeader.size(descriptor: flag))
        let bytes = HandmadeFrame(descriptor: flag, fields: Self.fields).bytes[..<size]
        #expect(Array(bytes).parsed { FrameHeader($0) }.dictionaryIdentifier == identifier)
    }

    @Test(arguments: [0, 1, 255, 256, 65_535, 65_791, 65_792, 300_000], [true, false])
    func `a compressed frame says its size and whether it has a checksum`(count: Int, hasChecksum: Bool) throws {
        let bytes = try frame(sample(count), CompressionOptions(level: 1, hasChecksum: hasChecksum))
        let header = try #require(try scan(bytes).first?.header)
        #expect(header.contentSize == UInt64(count))
        #expect(header.hasChecksum == hasChecksum)
        #expect(header.dictionaryIdentifier == 0)
    }

    @Test(arguments: (0...UInt8.max).filter { $0 & 0b1000 == 0 })
    func `the bytes of a header mean the same`(descriptor: UInt8) throws {
        let size = try #require(FrameHeader.size(descriptor: descriptor))
        let bytes = HandmadeFrame(descriptor: descriptor, fields: Self.fields).bytes[..<size]
        let header = Array(bytes).parsed { FrameHeader($0) }
        let again = header.bytes.parsed { FrameHeader($0) }
        #expect(again.windowSize == header.windowSize)
        #expect(again.contentSize == header.contentSize)
        #expect(again.dictionaryIdentifier == header.dictionaryIdentifier)
        #expect(again.hasChecksum == header.hasChecksum)
    }

    /// Whatever number is in its fields: what is made of it means the same, and has a window for the same matches as
    /// far as one can be said.
    @Test(arguments: (0...UInt8.max).filter { $0 & 0b1000 == 0 })
    func `a header may say anything`(descriptor: UInt8) throws {
        let size = try #require(FrameHeader.size(descriptor: descriptor))
        var random = SeededNumbers(seed: UInt64(descriptor))
        for turn in 0..<60 {
            let fields = (0..<13).map { _ in
                turn < 20 ? [0, 1, 0x7F, 0x80, 0xFF][turn % 5] : UInt8.random(in: 0...255, using: &random)
            }
            let header = Array(HandmadeFrame(descriptor: descriptor, fields: fields).bytes[..<size]).parsed {
                FrameHeader($0)
            }
            #expect(header.bytes.parsed { FrameHeader($0) }.contentSize == header.contentSize)
            let unsized = header.withoutSizes(window: header.windowSize).parsed { FrameHeader($0) }
            #expect(unsized.contentSize == nil && unsized.windowSize >= min(header.windowSize, 15 << 38))
            #expect(header.blockLimit <= 128 << 10)
        }
    }
}
