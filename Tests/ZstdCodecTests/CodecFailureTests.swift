import Testing

@testable import ZstdCodec

struct CodecFailureTests {
    static let all: [CodecFailure] = [
        .empty, .notZstandard, .trailingBytes(offset: 7), .legacyFormat(offset: 7),
        .needsDictionary(identifier: 1, offset: 7), .windowTooLarge(bytes: 1 << 31, limit: 1 << 27, offset: 7),
        .truncated(offset: 7), .missingSeekTable(offset: 7), .corrupt(reason: "why", offset: 7), .contentSizeMismatch,
        .outOfMemory,
    ]

    @Test(arguments: all)
    func `a description is the end of a sentence`(failure: CodecFailure) throws {
        let words = failure.description
        #expect(try #require(words.first).isLowercase)
        #expect(!words.hasSuffix("."))
        #expect(!words.contains("("))
    }

    @Test(arguments: all.filter { ![.empty, .notZstandard, .contentSizeMismatch, .outOfMemory].contains($0) })
    func `a description tells the offset`(failure: CodecFailure) {
        #expect(failure.description.contains("at byte 7"))
    }

    @Test(arguments: [
        ((UInt64(1) << 27) + 1, "decompress with --long=28, or --memory=129MiB"),
        (1 << 28, "decompress with --long=28, or --memory=256MiB"),
        (1 << 31, "decompress with --long=31, or --memory=2048MiB"),
    ])
    func `a window that is allowed on request has a hint with the request`(bytes: UInt64, hint: String) {
        #expect(CodecFailure.windowTooLarge(bytes: bytes, limit: 1, offset: 0).hint == hint)
    }

    @Test(arguments: [(UInt64(1) << 31) + 1, 1 << 41, .max])
    func `a window that libzstd can't have has no hint, and its words do not trap`(bytes: UInt64) {
        let failure = CodecFailure.windowTooLarge(bytes: bytes, limit: .max, offset: .max)
        #expect(failure.hint == nil)
        #expect(!failure.description.isEmpty)
    }

    @Test(arguments: [(UInt64(0), 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1 << 63, 63), (.max, 64)])
    func `the ceiling of the logarithm`(number: UInt64, logarithm: Int) {
        #expect(number.ceilingLog2 == logarithm)
    }
}
