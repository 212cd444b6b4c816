import ByteStreams
import StreamTestSupport
import Synchronization
import Testing

@testable import Archives

@Suite(.timeLimit(.minutes(4)))
struct ArchiveIndexTests {
    private static func members(_ count: Int) -> [ArchiveMember] {
        var (members, place): ([ArchiveMember], UInt64) = ([], 0)
        for number in 0..<count {
            var member = ArchiveMember(path: Array("folder/\(number / 10)/file \(number)".utf8), kind: .file)
            member.contentSize = UInt64(number % 7 * 100)
            (member.storedSize, member.isSparse) = (number % 11 == 0 ? 512 : member.contentSize, number % 11 == 0)
            member.owner = .init(user: Int64(number / 50), group: -1, userName: [UInt8(number % 2)], groupName: [])
            member.modified = .init(seconds: Int64(number * number) - 1000, nanoseconds: number % 3 == 0 ? 5 : 0)
            if number % 5 == 0 { (member.kind, member.link) = (.symbolicLink, Array("target".utf8)) }
            if number % 13 == 0 {
                (member.kind, member.link, member.device) = (.blockDevice, [], .init(major: 8, minor: 1))
            }
            member.start = place + (number % 4 == 0 ? 512 : 0)
            member.data = member.start + (number % 9 == 0 ? 1536 : 512)
            place = member.end
            members.append(member)
        }
        return members
    }

    private static func frame(_ members: [ArchiveMember]) throws -> [UInt8] {
        var writer = ArchiveIndexWriter()
        for member in members { try writer.append(member) }
        return try writer.finish(contentSize: (members.last?.end ?? 0) + 1024)
    }

    private static func filter(of names: [[UInt8]]) -> [UInt8] {
        var filter = BloomFilter()
        for name in names { filter.append(name) }
        return filter.bytes
    }

    @Test func `a filter has all its names and the directories above them, and few others`() {
        let names = (0..<4000).map { Array("./folder/\($0 / 50)/file \($0)/".utf8) }
        let filter = Self.filter(of: names)
        #expect(filter.count < 4100)
        func mayHave(_ name: String) -> Bool { BloomFilter.mayHave(MemberPattern(Array(name.utf8)).key ?? 0, filter) }
        for number in 0..<4000 { #expect(mayHave("folder/\(number / 50)/file \(number)")) }
        for number in 0..<80 { #expect(mayHave("folder/\(number)/*") && mayHave("folder/\(number)/")) }
        #expect(mayHave("folder"))
        #expect((0..<10_000).count { mayHave("folder/\($0 / 50)/other \($0)") } < 400)
    }

    @Test(arguments: [0, 1, 100, 40_000])
    func `what is written is read again`(count: Int) throws {
        let members = Self.members(count)
        let index = try #require(ArchiveIndex(try Self.frame(members)))
        var listed: [ArchiveMember] = []
        try index.visit { listed.append($0) }
        #expect(listed == members)
        #expect(listed.count == count)
    }

    @Test(arguments: [0, 1000, 20_000, 200_000])
    func `an index that is full has the members before that, and no checkpoint`(most: Int) throws {
        let members = Self.members(40_000)
        var writer = ArchiveIndexWriter(mostBytes: most)
        for member in members { try writer.append(member) }
        let end = writer.end
        let frame = try writer.finish(contentSize: members[39_999].end, [UInt32](repeating: 7, count: 1 << 20))
        #expect(frame.count <= max(most, 36))
        let index = try #require(ArchiveIndex(frame))
        var listed: [ArchiveMember] = []
        try index.visit { listed.append($0) }
        #expect(writer.isFull && index.partialEnd == end)
        #expect(listed == Array(members.prefix(listed.count)))
        #expect(listed.last?.end ?? 0 == end)
        #expect(listed.isEmpty == (most < 10_000))
        #expect(throws: Failure.self) { try index.checkEnd() }
    }

    @Test func `names that share nearly all of a long one are listed, and not more of them than fit`() throws {
        var members: [ArchiveMember] = []
        for number in 0..<100 {
            var member = ArchiveMember(path: [UInt8](repeating: 97, count: 1_000_000) + [UInt8(number)], kind: .file)
            (member.start, member.data) = (UInt64(number) << 20, UInt64(number + 1) << 20)
            members.append(member)
        }
        let index = try #require(ArchiveIndex(try Self.frame(members)))
        var count = 0
        try index.visit { _ in count += 1 }
        #expect(count == 100)
        var columns = MemberColumns(at: 0)
        for member in members { columns.append(member) }
        let isListed = columns.names.withUnsafeBytes { MemberColumns.names(in: $0, count: 100) { _ in .max } != nil }
        #expect(!isListed)
    }

    @Test func `members are found by their names`() throws {
        let members = Self.members(40_000)
        let index = try #require(ArchiveIndex(try Self.frame(members)))
        var found: [ArchiveMember] = []
        let wanted = MemberPattern(Array("folder/3999".utf8))
        try index.visit(where: wanted.judge) { found.append($0) }
        #expect(found == Array(members[39_990...]))
    }

    @Test(arguments: 0..<40)
    func `names are passed over only if they do not match`(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        func text(_ letters: String, _ most: Int) -> [UInt8] {
            (0..<Int.random(in: 1...most, using: &random)).compactMap { _ in
                letters.utf8.randomElement(using: &random)
            }
        }
        var names: [[UInt8]] = []
        for _ in 0..<300 { names.append(text("ab/./", 9)) }
        if seed % 2 == 0 { names.sort { $0.lexicographicallyPrecedes($1) } }
        var columns = MemberColumns(at: 0)
        for name in names { columns.append(ArchiveMember(path: name, kind: .file)) }
        for _ in 0..<20 {
            let pattern = MemberPattern(text(seed % 3 == 0 ? "ab/.*?" : "ab/.", 6))
            let wanted = columns.names.withUnsafeBytes { bytes in
                MemberColumns.names(in: bytes, count: names.count, where: pattern.judge)
            }
            let found = try #require(wanted).map { $0.position }
            let filter = Self.filter(of: names)
            #expect(found.isEmpty || pattern.key.map { BloomFilter.mayHave($0, filter) } ?? true)
            let matching = names.indices.filter { names[$0].withUnsafeBytes { pattern.matches($0.bytes) } }
            #expect(found == matching)
        }
    }

    @Test func `a search reads no block that has not the name, and a whole list reads all`() throws {
        let members = Self.members(20_000)
        var frame = try Self.frame(members)
        // Everything after the filters of ten blocks, but the last block with its names and fields.
        let columns = try #require(frame.indices.first { Array(frame[$0...].prefix(4)) == [0x28, 0xB5, 0x2F, 0xFD] })
        let starts = frame.indices.filter { Array(frame[$0...].prefix(4)) == [0x28, 0xB5, 0x2F, 0xFD] }
        for place in columns..<starts[starts.count - 2] { frame[place] = 0 }
        let index = try #require(ArchiveIndex(frame))
        // These are in no other filter, as a few of all names are.
        // No other filter takes these for its own, as happens to one name of fifty.
        for (pattern, count) in [("folder/1997/file 19973", 1), ("folder/1997", 10), ("folder/1997/*[05]", 2)] {
            let selection = MemberSelection([MemberPattern(Array(pattern.utf8))], asArchive: true)
            #expect(try selection.select(from: index).members.count == count, "\(pattern)")
        }
        let error = #expect(throws: Failure.self) { try index.visit { _ in } }
        #expect(error?.code == .archive)
    }

    @Test func `of names that begin as one that does not match none is looked at`() throws {
        var columns = MemberColumns(at: 0)
        for number in 0..<1000 {
            columns.append(ArchiveMember(path: Array("folder/other/file \(number)".utf8), kind: .file))
        }
        for (text, most) in [
            ("folder/one/file 7", 1), ("folder/n*e", 1), ("folder/o*e", 1000), ("folder/other/file 7", 1000),
        ] {
            let pattern = MemberPattern(Array(text.utf8))
            var seen = 0
            _ = columns.names.withUnsafeBytes { bytes in
                MemberColumns.names(in: bytes, count: 1000) { name in
                    seen += 1
                    return pattern.judge(name)
                }
            }
            #expect(seen <= most, "\(text)")
        }
    }

    @Test(arguments: [3, 500])
    func `of many patterns each finds its members, and one without any is named`(count: Int) throws {
        let members = Self.members(2000)
        let index = try #require(try ArchiveIndex(Self.frame(members)))
        // Names, directories with all that is below them, and wildcards.
        var patterns = (0..<count).map { MemberPattern(Array("./folder/\($0 / 10)/file \($0)".utf8)) }
        patterns += ["folder/199/", "folder/1*7/file 1?7?"].map { MemberPattern(Array($0.utf8)) }
        let found = try MemberSelection(patterns, asArchive: true).select(from: index).members
        let wanted = members.filter { member in
            patterns.contains { $0.matches(member.path.span.bytes) }
        }
        #expect(found.map(\.start) == wanted.map(\.start))
        #expect(throws: Failure.archive("no member is named folder/x")) {
            try MemberSelection(patterns + [MemberPattern(Array("folder/x".utf8))]).select(from: index)
        }
    }

    /// Each name beside each pattern would be 1,600 million comparisons.
    @Test func `as many patterns as members take no time for each pair`() throws {
        let members = Self.members(40_000)
        let index = try #require(try ArchiveIndex(Self.frame(members)))
        let patterns = members.map { MemberPattern($0.path) }
        let found = try MemberSelection(patterns, asArchive: true).select(from: index).members
        #expect(found.map(\.start) == members.map(\.start))
    }

    @Test func `a long chain of links is followed in few readings of the index`() throws {
        var (members, place): ([ArchiveMember], UInt64) = ([], 0)
        for number in 0..<3000 {
            var member = ArchiveMember(path: Array("\(number)".utf8), kind: number > 0 ? .hardLink : .file)
            if number > 0 { member.link = Array("\(number - 1)".utf8) }
            (member.start, member.data) = (place, place + 512)
            place += 512
            members.append(member)
        }
        let frame = try Self.frame(members)
        let readings = Atomic(0)
        let index = try #require(
            try ArchiveIndex(size: frame.count) { range in
                readings.add(1, ordering: .relaxed)
                return Array(frame[range])
            })
        let pattern = MemberPattern(Array("2999".utf8))
        for asArchive in [false, true] {
            let found = try MemberSelection([pattern], asArchive: asArchive).select(from: index).members
            #expect(found == (asArchive ? members : [members[0]]))
        }
        #expect(readings.load(ordering: .relaxed) < 100)
    }

    @Test func `more members than the memory has room for are not selected`() throws {
        let index = try #require(ArchiveIndex(try Self.frame(Self.members(1000))))
        let selection = MemberSelection([MemberPattern(Array("folder".utf8))], asArchive: true)
        #expect(try selection.select(from: index).members.count == 1000)
        let error = #expect(throws: Failure.self) { try selection.select(from: index, most: 100_000) }
        #expect(error?.code == .archive)
    }

    @Test func `a changed byte shows, and never as another member`() throws {
        let members = Self.members(60)
        let frame = try Self.frame(members)
        for place in frame.indices {
            for bit in [UInt8(1), 128] {
                var changed = frame
                changed[place] ^= bit
                guard let index = ArchiveIndex(changed) else { continue }
                var listed: [ArchiveMember] = []
                let isRead = (try? index.visit { listed.append($0) }) != nil
                #expect(!isRead || listed == members, "\(place)")
            }
        }
        for count in 0..<frame.count { #expect(ArchiveIndex(Array(frame[..<count])) == nil) }
    }

    @Test(
        arguments: [
            ("a/b", "a/b", true), ("a/b", "a/bc", false), ("a", "a/b/c", true), ("a/", "a/b", true),
            ("a", "./a/b", true),
            ("./a", "a", true), (".", "x/y", true), ("*.c", "a/b.c", true), ("*.c", "a/b.h", false),
            ("a/*", "a/b/c", true),
            ("b", "a/b", false), ("a/[xy]", "a/y/z", true), ("a?c", "a/c", true), ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("dir", "dir/", true), ("x*", "", false),
        ])
    func `patterns match as those of tar do`(pattern: String, path: String, matches: Bool) {
        let (pattern, path) = (MemberPattern(Array(pattern.utf8)), Array(path.utf8))
        #expect(pattern.matches(path.span.bytes) == matches)
    }
}
