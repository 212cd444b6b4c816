import ForeignCodec
import Testing

struct ForeignFailureTests {
    static let all: [ForeignFailure] = [
        .notRead(.bzip2), .notListed(.gzip), .notRecovered(.gzip), .truncated(.xz, offset: 7),
        .corrupt(.lz4, reason: "it is damaged", offset: 7),
        .needsMemory(.xz, bytes: 3 << 20, limit: 1 << 20, offset: 7),
        .unsupported(.xz, reason: "unknown options", offset: 7), .trailingBytes(.gzip, offset: 7),
        .outOfMemory,
    ]

    @Test(arguments: all)
    func `a description is the end of a sentence`(failure: ForeignFailure) throws {
        let words = failure.description
        #expect(words.first?.isLowercase == true)
        #expect(words.last != ".")
        for word in ["ForeignF", "Optional", "("] { #expect(!words.contains(word)) }
    }

    @Test(arguments: all.filter { $0.offset != nil })
    func `it says where`(failure: ForeignFailure) {
        #expect(failure.description.contains("at byte 7"))
    }
}
