import Testing

@testable import ZstdCodec

struct CodecFailureTests {
    static let all: [CodecFailure] = [
        .empty, .notZstandard, .trailingBytes(offset: 7), .legacyFormat(offset: 7),
        .needsDictionary(identifier: 1, offset: 7), .windowTooLarge(bytes: 1 << 31, limit: 1 << 27, offset: 7),
        .truncated(offset: 7), .missingSeekTable(offset: 7), .damagedSeekTable(offset: 7),
        .corrupt(reason: "why", offset: 7), .outOfMemory,
        .contentSizeMismatch(announced: 3, actual: 5), .contentSizeMismatch(announced: 3, actual: nil),
        .parameter(name: "windowLog", value: 9, bounds: 10...31), .parameter(name: "hashLog", value: 9, bounds: nil),
        .needsDictionary(identifier: 1, offset: 7, given: 0), .needsDictionary(identifier: 1, offset: 7, given: 2),
        .damagedDictionary, .training("why"), .tooLargeForReference(bytes: 3 << 30, limit: 2 << 30),
    ]

    @Test(arguments: all)
    func `a description is the end of a sentence`(failure: CodecFailure) throws {
        let words = failure.description
        #expect(try #require(words.first).isLowercase)
        #expect(!words.hasSuffix("."))
        #expect(!words.contains("("))
    }

    @Test(arguments: all[1...8].filter { $0 != .notZstandard })
    func `a description tells the offset`(failure: CodecFailure) {
        #expect(failure.description.contains("at byte 7"))
    }

    @Test func `a wrong size is told beside the right one`() {
        let failure = CodecFailure.contentSizeMismatch(announced: 3, actual: 5)
        #expect(failure.description == "the input has 5 bytes, but 3 were announced")
        let unread = CodecFailure.contentSizeMismatch(announced: 3, actual: nil)
        #expect(unread.description == "the input has more than the announced 3 bytes")
    }

    @Test(arguments: all)
    func `no description has a word of a command line`(failure: CodecFailure) {
        #expect(!failure.description.contains("-"))
    }
}
