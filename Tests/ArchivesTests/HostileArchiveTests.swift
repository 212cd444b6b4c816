import ByteStreams
import StreamTestSupport
import TestSupport
import Testing

@testable import Archives

/// An archive costs time for its size, whatever its names are.
@Suite(.timeLimit(.minutes(4)))
struct HostileArchiveTests {
    /// Archives of about this size: 1 MiB.
    private static let size = 1 << 20

    /// Adds members with a name that has so many bytes, each with other first bytes.
    private static func named(_ count: Int, _ bytes: Int, _ text: String, link: Bool = false) -> TarSample {
        var archive = TarSample()
        for number in 0..<count {
            let name = "\(number)" + String(repeating: text, count: bytes / text.utf8.count)
            archive.records([(link ? "linkpath" : "path", name)])
            archive.header(link ? "same" : "x", flag: link ? "1" : "0")
        }
        return archive
    }

    private static let archives: [(String, TarSample)] = {
        var links = TarSample()
        for number in 0..<1000 { links.header("same", flag: number % 2 == 0 ? "0" : "1", link: "same") }
        var records = TarSample()
        records.records((0..<40_000).map { ("SCHILY.xattr.\($0 % 10)", "x") } + [("path", "x")])
        records.header("x")
        var holes = TarSample()
        holes.records(
            [("GNU.sparse.size", "900000000")]
                + (0..<15_000).flatMap {
                    [("GNU.sparse.offset", "\($0 * 1024)"), ("GNU.sparse.numbytes", "1")]
                })
        holes.header("x", size: 0)
        return [
            ("one name of half a million directories", named(1, size - 4096, "a/")),
            ("names of two thousand directories each", named(200, 4000, "a/")),
            ("names of as many as have filters", named(600, 1000, "a/")),
            ("names in one directory", named(700, 512, "b")),
            ("links with long targets", named(200, 4000, "../", link: true)),
            ("links to one name", links), ("an endless header", records), ("a map of many holes", holes),
        ]
    }()

    @Test(arguments: archives.indices)
    func `an archive of 1 MiB is listed and searched within a second`(number: Int) throws {
        var (name, archive) = Self.archives[number]
        archive.zeros()
        let start = secondsOfThread()
        let members = try TarSample.members(of: archive.bytes)
        var writer = ArchiveIndexWriter()
        for member in members { try writer.append(member) }
        let index = try #require(ArchiveIndex(try writer.finish(contentSize: UInt64(archive.bytes.count))))
        var listed: [ArchiveMember] = []
        try index.visit { listed.append($0) }
        // As many as are looked up in a table, and wildcards.
        let names = (0..<40).map { "\($0)" + String(repeating: "a/", count: $0) }
        for patterns in [["none"], names, ["*a*/a*/b*none"], ["*"]] {
            let selection = MemberSelection(patterns.map { MemberPattern(Array($0.utf8)) }, asArchive: true)
            _ = try? selection.select(from: index)
        }
        let seconds = secondsOfThread() - start
        #expect(listed == members, "\(name)")
        // Ten times what it takes without optimization; each of these took minutes.
        #expect(seconds < 10, "\(name): \(seconds) s")
    }

    @Test func `a filter that would have too many directories rules nothing out`() throws {
        for (count, bytes) in [(1, 5000), (600, 1000)] {
            var archive = Self.named(count, bytes, "a/")
            archive.zeros()
            let index = try #require(ArchiveIndex(try TarSample.index(of: archive.bytes)))
            for wanted in ["0a/a", "0" + String(repeating: "a/", count: bytes / 2), "0a/*"] {
                let selection = MemberSelection([MemberPattern(Array(wanted.utf8))], asArchive: true)
                #expect(try selection.select(from: index).members.map(\.start) == [0])
            }
        }
    }

    /// A hundred bytes of an index can stand for gigabytes of names that share nearly all of one.
    @Test func `names that no headers have room for are none`() throws {
        var columns = MemberColumns(at: 0)
        var member = ArchiveMember(path: [UInt8](repeating: 97, count: 1000), kind: .file)
        for number in 0..<100 as Range<UInt64> {
            (member.start, member.data) = (number * 512, (number + 1) * 512)
            columns.append(member)
        }
        func names(within place: UInt64) -> [(position: Int, path: [UInt8])]? {
            columns.names.withUnsafeBytes { MemberColumns.names(in: $0, count: 100, within: place) { _ in nil } }
        }
        #expect(names(within: 100 * 512) == nil)
        let wanted = try #require(names(within: 100_000))
        let areMembers = try columns.fields.withUnsafeBytes { fields throws(Failure) in
            try MemberColumns.visit(wanted, in: fields, count: 100, at: 0..<100_000) { _ in }
        }
        #expect(!areMembers)
    }

    @Test func `a list that nobody waits for ends with the next block`() throws {
        var writer = ArchiveIndexWriter()
        for number in 0..<20_000 as Range<UInt64> {
            var member = ArchiveMember(path: Array("\(number)".utf8), kind: .hardLink)
            member.link = Array("\(number + 1)".utf8)
            (member.start, member.data) = (number * 512, (number + 1) * 512)
            try writer.append(member)
        }
        let index = try #require(ArchiveIndex(try writer.finish(contentSize: 20_000 * 512)))
        let latch = FailureLatch()
        var count = 0
        let failure = #expect(throws: Failure.self) {
            try index.visit(latch: latch) { _ in
                count += 1
                if count == 3000 { latch.fail(.cancelled) }
            }
        }
        #expect(failure?.code == .cancelled && count < 6000)
        for asArchive in [false, true] {
            let selection = MemberSelection([MemberPattern(Array("7".utf8))], asArchive: asArchive)
            let failure = #expect(throws: Failure.self) { try selection.select(from: index, latch: latch) }
            #expect(failure?.code == .cancelled)
        }
    }
}
