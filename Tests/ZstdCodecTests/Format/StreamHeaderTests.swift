import Testing

@testable import ZstdCodec

struct StreamHeaderTests {
    static let headers = [
        StreamHeader(frameSize: 1024, level: 3), StreamHeader(frameSize: 1 << 30, level: 22),
        StreamHeader(frameSize: .max, level: -131_072), StreamHeader(frameSize: 5, level: 1, mayEndAnywhere: true),
    ]

    @Test(arguments: headers)
    func `a header is read as it was written`(header: StreamHeader) {
        #expect(header.encoded.parsed { StreamHeader($0) } == header)
        #expect(header.encoded.count == StreamHeader.encodedSize)
    }

    @Test func `the bytes are those of the format`() {
        #expect(
            StreamHeader(frameSize: 0x0102_0304, level: -1).encoded
                == [0x53, 0x2A, 0x4D, 0x18, 16, 0, 0, 0] + Array("SLUICE".utf8) + [
                    1, 0, 4, 3, 2, 1, 255, 255, 255, 255,
                ])
    }

    @Test func `one bit of the flags says that the stream may end anywhere`() {
        var bytes = StreamHeader(frameSize: 1, level: 1).encoded
        for flags in UInt8.min...UInt8.max {
            bytes[15] = flags
            #expect(bytes.parsed { StreamHeader($0) }?.mayEndAnywhere == (flags & 1 == 1))
        }
    }

    @Test(arguments: 0..<15)
    func `a changed magic number, size, name or version makes it foreign`(index: Int) {
        var bytes = Self.headers[0].encoded
        bytes[index] ^= 1
        #expect(bytes.parsed { StreamHeader($0) } == nil)
    }

    @Test(arguments: 0..<24)
    func `a header that is cut is none`(count: Int) {
        #expect(Array(Self.headers[0].encoded.prefix(count)).parsed { StreamHeader($0) } == nil)
    }
}
