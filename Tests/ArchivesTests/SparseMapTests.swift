import ByteStreams
import Testing

@testable import Archives

@Suite(.timeLimit(.minutes(4)))
struct SparseMapTests {
    private static func map(_ text: String) throws -> SparseMap {
        var map = SparseMap()
        #expect(try map.take(Array(text.utf8) + [UInt8](repeating: 0, count: 600)) == 512)
        #expect(map.isWhole)
        return map
    }

    @Test func `a map in front of the data is lines of numbers, which may come in pieces`() throws {
        let text = Array("2\n0\n10\n4096\n1\n".utf8) + [UInt8](repeating: 0, count: 500)
        for count in 0..<14 {
            var map = SparseMap()
            #expect(try map.take(Array(text[..<count])) == count)
            #expect(!map.isWhole)
            #expect(try map.take(Array(text[count...])) == 512 - count)
            #expect(map.isWhole)
        }
        #expect(try Self.map("2\n0\n10\n4096\n1\n").extents == [0..<10, 4096..<4097])
        #expect(try Self.map("0\n").extents.isEmpty)
    }

    /// What a large map costs is what its bytes cost, in however many pieces they come.
    @Test(arguments: [1, 2, 511, 1000, 1 << 20])
    func `no byte of a map is taken twice`(piece: Int) throws {
        let extents = 2000
        let numbers = (0..<extents).map { "\($0 * 8192)\n512\n" }.joined()
        var text = Array("\(extents)\n\(numbers)".utf8)
        let size = (text.count + 511) / 512 * 512
        text += [UInt8](repeating: 0, count: size - text.count) + [1, 2, 3]
        var (map, rest, taken) = (SparseMap(), text[...], 0)
        while !map.isWhole {
            let next = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            let count = try map.take(next)
            #expect(count == min(piece, size - taken))
            taken += count
        }
        #expect(taken == size)
        #expect(map.extents.count == extents)
        let last = UInt64(extents - 1) * 8192
        #expect(map.extents.last == last..<last + 512)
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
            // What lies behind an extent that does not fill its block is read in different ways.
            ("2\n0\n3\n4\n1\n", 5, 4, false), ("2\n0\n512\n600\n1\n", 601, 513, true),
            ("3\n0\n512\n600\n1\n700\n0\n", 700, 513, true),
        ] as [(String, UInt64, UInt64, Bool)])
    func `extents lie behind one another, and add up to the data`(
        text: String, size: UInt64, stored: UInt64, isFine: Bool
    ) throws {
        var map = SparseMap()
        _ = try? map.take(Array(text.utf8) + [UInt8](repeating: 0, count: 600))
        #expect(((try? map.check(size: size, stored: stored, at: 0)) != nil) == isFine)
    }

    @Test func `content has zeros where there is no data, however the data comes`() throws {
        var member = ArchiveMember(path: [], kind: .file)
        (member.contentSize, member.isSparse) = (9 << 20, true)
        let text = Array("3\n0\n512\n5000000\n2\n9437184\n0\n".utf8)
        let first = [UInt8](repeating: 1, count: 512)
        let data = text + [UInt8](repeating: 0, count: 512 - text.count) + first + [4, 5]
        member.storedSize = UInt64(data.count)
        var wanted = [UInt8](repeating: 0, count: 9 << 20)
        wanted.replaceSubrange(0..<512, with: first)
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

extension SparseMap {
    fileprivate mutating func take(_ data: [UInt8]) throws(Failure) -> Int {
        try take(data: data.span.bytes, at: 0)
    }
}
