import Testing

@testable import ZstdCodec

struct DecodingLimitsTests {
    /// What the limits say of the first frame, of which only the first bytes came.
    private func check(_ bytes: [UInt8], windowSize: UInt64 = 1 << 27, dictionary: UInt32? = nil) throws {
        var scanner = FrameScanner()
        let ended = try bytes.parsed { try scanner.scan($0).ended }
        try DecodingLimits(windowSize: windowSize, dictionaryIdentifier: dictionary).check(
            try #require(ended ?? scanner.current))
    }

    @Test(arguments: [UInt64(1) << 20, 1 << 27, 1 << 31])
    func `a window over the limit is refused before its blocks come`(limit: UInt64) {
        // A mantissa of one: an eighth more than the limit, which is a power of two.
        let exponent = UInt8(limit.trailingZeroBitCount - 10)
        let over = Array(HandmadeFrame(descriptor: 0, fields: [exponent << 3 | 1]).bytes[..<6])
        #expect(throws: CodecFailure.windowTooLarge(bytes: limit + limit / 8, limit: limit, offset: 0)) {
            try check(over, windowSize: limit)
        }
        let just = HandmadeFrame(descriptor: 0, fields: [exponent << 3]).bytes
        #expect(throws: Never.self) { try check(just, windowSize: limit) }
    }

    @Test func `a frame that needs a dictionary is refused with its identifier`() throws {
        let bytes = HandmadeFrame(descriptor: 0b0010_0011, fields: [1, 2, 3, 4, 0]).bytes
        for given in [nil, 0, 7] as [UInt32?] {
            #expect(throws: CodecFailure.needsDictionary(identifier: 0x0403_0201, offset: 0, given: given)) {
                try check(bytes, dictionary: given)
            }
        }
        try check(bytes, dictionary: 0x0403_0201)
    }

    @Test func `a frame that names no dictionary may come with any`() throws {
        for given in [nil, 0, 7] as [UInt32?] { try check(HandmadeFrame().bytes, dictionary: given) }
    }

    @Test func `what has no header yet, or is skipped, is not refused`() throws {
        try check([0x28, 0xB5])
        try check(skippable([1, 2, 3]))
    }
}
