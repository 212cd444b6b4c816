import Testing

@testable import Sluice

@Suite(.timeLimit(.minutes(1)))
struct SparseMapTests {
    private static func map(_ text: String) throws -> SparseMap {
        var map = SparseMap()
        let size = try map.take(data: Array(text.utf8) + [UInt8](repeating: 0, count: 600), at: 0)
        #expect(size == 512)
        return map
    }

    @Test func `a map in front of the data is lines of numbers, which may come in pieces`() throws {
        let text = Array("2\n0\n10\n4096\n1\n".utf8) + [UInt8](repeating: 0, count: 500)
        for count in 0..<14 {
            var map = SparseMap()
            #expect(try map.take(data: Array(text[..<count]), at: 0) == nil, "\(count)")
        }
        #expect(
            try Self.map("2\n0\n10\n4096\n1\n").extents == [.init(offset: 0, count: 10), .init(offset: 4096, count: 1)])
        #expect(try Self.map("0\n").extents.isEmpty)
    }

    @Test(arguments: [
        "-1\n", "a\n", "1\nx\n", "1\n1\n99999999999999999999\n", "9999999\n", "\n", "123456789012345678901",
    ])
    func `what is no number is refused`(text: String) {
        #expect(throws: Failure.self) { try Self.map(text) }
    }

    @Test(
        arguments: [
            ("0\n", 5, 0, true), ("1\n0\n5\n", 5, 5, true), ("1\n0\n5\n", 4, 5, false), ("1\n0\n5\n", 5, 4, false),
            ("2\n4\n1\n0\n1\n", 5, 2, false), ("2\n0\n3\n2\n1\n", 5, 4, false), ("1\n6\n0\n", 5, 0, false),
            ("1\n5\n0\n", 5, 0, true), ("1\n4000000000000000000\n1\n", 5, 1, false),
        ] as [(String, UInt64, UInt64, Bool)])
    func `extents lie behind one another, and add up to the data`(
        text: String, size: UInt64, stored: UInt64, isFine: Bool
    ) throws {
        var map = SparseMap()
        _ = try? map.take(data: Array(text.utf8) + [UInt8](repeating: 0, count: 600), at: 0)
        #expect(((try? map.check(size: size, stored: stored, at: 0)) != nil) == isFine)
    }

    @Test func `content has zeros where there is no data, however the data comes`() throws {
        var member = ArchiveMember(path: [], kind: .file)
        (member.contentSize, member.isSparse) = (9 << 20, true)
        let text = Array("3\n0\n3\n5000000\n2\n9437184\n0\n".utf8)
        let data = text + [UInt8](repeating: 0, count: 512 - text.count) + [1, 2, 3, 4, 5]
        member.storedSize = UInt64(data.count)
        var wanted = [UInt8](repeating: 0, count: 9 << 20)
        wanted.replaceSubrange(0..<3, with: [1, 2, 3])
        wanted.replaceSubrange(5_000_000..<5_000_002, with: [4, 5])
        var map = SparseMap()
        _ = map.take("GNU.sparse.major", Array("1".utf8)[...])
        for piece in [1, 7, 511, 512, 513, 600] {
            var (sparse, content, rest) = (try SparseContent(member, map), Bytes(), data[...])
            while !rest.isEmpty {
                content.append(try sparse.take(Bytes(Array(rest.prefix(piece)))))
                rest = rest.dropFirst(piece)
            }
            content.append(try sparse.finish())
            #expect(content.elements == wanted)
        }
    }
}
