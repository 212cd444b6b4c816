import FuzzSubjects
import TestSupport
import Testing

/// A gzip member has one verdict, that of zlib, which library ever decodes it, however it comes (`Subject.gzip`).
@Suite(.timeLimit(.minutes(4)))
struct GzipTests {
    private static let subject = Subject.all.firstIndex { $0.name == "gzip" }
    /// The bytes of a part of the input, and of the room for content.
    private static let sizes: [(part: UInt16, room: UInt16)] = [(.max, .max), (12, .max), (.max, 299), (699, 4999)]

    private static func examine(_ bytes: [UInt8], isBare: Bool, _ sizes: (part: UInt16, room: UInt16)) throws {
        let subject = try #require(Self.subject)
        let numbers = [sizes.part, sizes.room].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        try Subject.examine([UInt8(subject)] + numbers + [isBare ? 0 : 1] + bytes)
    }

    /// Text, what can't be compressed, long matches and short ones.
    private static let content =
        sample(9000) + (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 4) }
        + [UInt8](repeating: 7, count: 5000) + sample(9000).suffix(6000) + (0..<900).map { UInt8($0 % 3) }

    private static func data(_ strategy: DeflateStrategy, level: Int) -> [UInt8] {
        deflated(content, level: level, strategy: strategy, flushes: [10, 4000, 9100, 9100, 20_000])
    }

    @Test(arguments: DeflateStrategy.allCases, [0, 1, 9])
    func `a member has one content, and one that is cut the same before its end`(
        strategy: DeflateStrategy, level: Int
    ) throws {
        let member = gzipMember(ofDeflated: Self.data(strategy, level: level))
        for sizes in Self.sizes { try Self.examine(member + [1, 2, 3], isBare: false, sizes) }
        for count in stride(from: 0, to: member.count, by: max(1, member.count / 60)) {
            try Self.examine(Array(member[..<count]), isBare: false, Self.sizes[count % 4])
        }
    }

    @Test(arguments: DeflateStrategy.allCases, [1, 9])
    func `a flipped bit is refused after the same content, or makes no difference`(
        strategy: DeflateStrategy, level: Int
    ) throws {
        let data = Self.data(strategy, level: level)
        let whole = gzipMember(ofDeflated: data)
        var random = SystemRandomNumberGenerator()
        for turn in 0..<160 {
            var damaged = data
            let place = turn < 60 ? turn : Int.random(in: 0..<data.count, using: &random)
            damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            // As it is, with the checksum of the content that it had, and with that of what it has now.
            let isBare = turn % 2 == 0
            let sizes = Self.sizes[turn / 2 % 4]
            let input = isBare ? damaged : whole.prefix(10) + damaged + whole.suffix(8)
            #expect(throws: Never.self, "byte \(place), \(sizes)") { try Self.examine(input, isBare: isBare, sizes) }
        }
    }

    @Test(arguments: [UInt8](0...0xFF))
    func `a header is read as zlib reads it`(flags: UInt8) throws {
        let fields: [(flag: UInt8, bytes: [UInt8])] = [(4, [3, 0, 65, 0, 66]), (8, [78, 0]), (16, [0])]
        let bytes = fields.flatMap { flags & $0.flag == 0 ? [] : $0.bytes }
        let member = gzipMember(ofDeflated: deflated([1, 2, 3]), fields: (flags, bytes))
        for sizes in Self.sizes + [(0, 0), (.max, 0), (0, .max)] { try Self.examine(member, isBare: false, sizes) }
        for place in 0..<min(member.count, 30) {
            var damaged = member
            damaged[place] ^= 1
            try Self.examine(damaged, isBare: false, Self.sizes[place % 4])
        }
        for count in 0..<member.count {
            try Self.examine(Array(member[..<count]), isBare: false, Self.sizes[count % 4])
        }
    }
}
