import ByteStreams
import StreamTestSupport
import TestSupport
import Testing

@testable import Archives

/// Members of tar archives. Beside tar, bsdtar and Python they are tried by the scripts of the command.
@Suite(.timeLimit(.minutes(4)))
struct TarScannerTests {
    /// One of each: files, links, devices, long names, holes, an archive within the archive.
    private static let archive: TarSample = {
        var sample = TarSample()
        sample.records([("comment", "global")], flag: "g")
        sample.header("d/", flag: "5")
        sample.file("d/file", Array("content".utf8))
        sample.header("d/hard", flag: "1", size: 7, link: "d/file")
        sample.header("d/soft", flag: "2", link: "file")
        sample.header("d/device", flag: "3") { $0.replaceSubrange(329..<336, with: "0000005".utf8) }
        sample.header("././@LongLink", flag: "L", size: 201, magic: TarSample.gnu)
        sample.data(Array(String(repeating: "n", count: 200).utf8) + [0])
        sample.file("short", [1, 2, 3], magic: TarSample.gnu)
        sample.records([("path", "d/pax"), ("size", "600"), ("mtime", "-1.25"), ("uid", "99999999"), ("uname", "me")])
        sample.file("d/other", [UInt8](repeating: 7, count: 600))
        sample.header("d/holes", flag: "S", size: 512, magic: TarSample.gnu) { block in
            block[482] = 1
            block.replaceSubrange(483..<494, with: "00004000000".utf8)
        }
        sample.data([UInt8](repeating: 0, count: 504) + [1])
        sample.data([UInt8](repeating: 0, count: 512))
        sample.data([UInt8](repeating: 9, count: 512))
        sample.zeros(blocks: 1)
        sample.file("inner.tar", TarSample.files([1, 600]).bytes)
        sample.zeros()
        sample.file("behind", [4])
        sample.zeros(blocks: 3)
        sample.data(Array("what follows is no part of it".utf8))
        return sample
    }()

    @Test func `each member has the name, the size and the place that its headers say`() throws {
        let members = try TarSample.members(of: Self.archive.bytes)
        let names = members.map { String(decoding: $0.path, as: UTF8.self) }
        let long = String(repeating: "n", count: 200)
        #expect(
            names == ["d/", "d/file", "d/hard", "d/soft", "d/device", long, "d/pax", "d/holes", "inner.tar", "behind"])
        #expect(members.map(\.size) == [0, 7, 0, 0, 0, 3, 600, 1 << 20, 4096, 1])
        #expect(members.map(\.kind.rawValue) == Array("5012300000".utf8))
        #expect(members[0].start == 0)
        #expect(members[2].link == Array("d/file".utf8))
        #expect(members[4].device == .init(major: 5, minor: 0))
        #expect(members[6].modified == .init(seconds: -2, nanoseconds: 750_000_000))
        #expect(
            members[6].owner
                == .init(user: 99_999_999, group: 100, userName: Array("me".utf8), groupName: Array("group".utf8)))
        #expect(members[7].isSparse && members[7].data == members[7].start + 3 * 512 && members[7].storedSize == 512)
        for (member, next) in zip(members, members.dropFirst()) { #expect(member.end <= next.start) }
        let bytes = Self.archive.bytes
        #expect(Array(bytes[Int(members[1].data)...].prefix(7)) == Array("content".utf8))
    }

    @Test func `a checksum is the sum of all bytes, however large they are`() throws {
        let fields = [0..<100, 157..<257, 265..<329, 345..<500]
        for byte: UInt8 in [1, 127, 128, 255] {
            var sample = TarSample()
            sample.header("", link: "l") { block in
                for index in fields.joined() { block[index] = byte }
            }
            let member = try #require(TarSample.members(of: sample.bytes, isWhole: false).first)
            #expect(member.path.filter { $0 == byte }.count == 255)
            #expect(member.owner.userName.count == 32)
        }
    }

    @Test(arguments: ["00", "  ", "\u{0}\u{0}"])
    func `a name has its prefix whatever the version of the header is`(version: String) throws {
        var sample = TarSample()
        sample.header("c", magic: "ustar\u{0}" + version) { $0.replaceSubrange(345..<348, with: "pre".utf8) }
        #expect(try TarSample.members(of: sample.bytes, isWhole: false).map(\.path) == [Array("pre/c".utf8)])
    }

    @Test func `a file whose name ends as that of a directory is one`() throws {
        var sample = TarSample()
        sample.header("d/")
        #expect(try TarSample.members(of: sample.bytes, isWhole: false).map(\.kind) == [.directory])
    }

    @Test func `a hard link to which an extended header gives data is an error`() throws {
        for (size, isValid) in [("0", true), ("512", false)] {
            var sample = TarSample()
            sample.records([("size", size)])
            sample.header("l", flag: "1", size: 512, link: "a")
            sample.header("secret")
            let members = try? TarSample.members(of: sample.bytes, isWhole: false)
            #expect((members != nil) == isValid)
        }
    }

    @Test func `cut at any place it has the same members, or those in front of the cut`() throws {
        let bytes = Self.archive.bytes
        let members = try TarSample.members(of: bytes)
        for place in stride(from: 1, to: bytes.count, by: isLong ? 7 : 29) {
            let pieces = try TarSample.members(of: bytes, pieces: [place, .max])
            #expect(pieces == members, "\(place)")
            let cut = try TarSample.members(of: Array(bytes[..<place]), isWhole: false)
            #expect(cut[...] == members.prefix { $0.data <= UInt64(place) }, "\(place)")
        }
        for pieces in [[1], [511], [512], [513], [3, 1000]] {
            #expect(try TarSample.members(of: bytes, pieces: pieces) == members)
        }
    }

    @Test func `an archive that ends within a member is cut`() throws {
        let bytes = TarSample.files([600]).bytes
        for place in 1..<2048 {
            let whole = try? TarSample.members(of: Array(bytes[..<place]))
            // Behind the directory, or behind everything, it is whole.
            #expect((whole != nil) == (place == 512), "\(place)")
        }
        #expect(try TarSample.members(of: Array(bytes[..<2048])).count == 2)
    }

    @Test(arguments: [0, 1, 511, 512, 513, 5000])
    func `what is no tar is told so at its first block`(count: Int) {
        var scanner = TarScanner()
        let error = #expect(throws: Failure.self) {
            let bytes = sample(count, seed: 9)
            var rest = bytes.span.bytes
            while try scanner.next(in: &rest) != nil {}
            try scanner.finish()
        }
        #expect(error == .noArchive)
        #expect(scanner.offset <= 512)
    }

    @Test(arguments: [
        "1", "3", "path", "size=-1\n", "11 size=-1\n", "9 size=\u{0}\n", "99 path=a\n", "8 path=a", "0 a=b\n",
        "6 a b\n",
    ])
    func `an extended header that makes no sense is refused`(text: String) {
        var sample = TarSample()
        sample.file("a", [])
        sample.header("x", flag: "x", size: text.utf8.count)
        sample.data(Array(text.utf8))
        sample.file("b", [])
        #expect(throws: Failure.self) { try TarSample.members(of: sample.bytes) }
    }

    @Test func `an archive may end with a global header, but not with one of a member`() throws {
        for (flag, isFine) in [(Character("g"), true), ("x", false)] {
            var sample = TarSample()
            sample.records([("comment", "1")], flag: flag)
            sample.zeros()
            #expect((try? TarSample.members(of: sample.bytes)) == (isFine ? [] : nil))
        }
    }

    @Test func `a global header may be a comment, and not change members`() throws {
        for (name, isFine) in [("comment", true), ("path", false), ("GNU.sparse.major", false)] {
            var sample = TarSample()
            sample.records([(name, "1")], flag: "g")
            sample.file("a", [])
            #expect(((try? TarSample.members(of: sample.bytes)) != nil) == isFine)
        }
    }

    @Test func `a directory has no data, whatever size its header has`() throws {
        var sample = TarSample()
        sample.header("d/", flag: "5", size: 100)
        sample.file("d/f", [1])
        sample.zeros()
        let members = try TarSample.members(of: sample.bytes)
        #expect(members.map(\.size) == [100, 1])
        #expect(members.map(\.start) == [0, 512])
        let index = try #require(ArchiveIndex(try TarSample.index(of: sample.bytes)))
        var listed: [ArchiveMember] = []
        try index.visit { listed.append($0) }
        #expect(listed == members)
    }

    @Test func `of several headers of pax in front of a member the last one counts`() throws {
        var sample = TarSample()
        sample.records([("path", "first"), ("linkpath", "first"), ("size", "600")])
        sample.records([("path", "second")])
        sample.records([("uname", "me")])
        sample.header("bar", flag: "2", link: "t")
        sample.zeros()
        let member = try #require(TarSample.members(of: sample.bytes).first)
        #expect(member.path == Array("bar".utf8) && member.link == Array("t".utf8))
        #expect(member.owner.userName == Array("me".utf8) && member.size == 0)
    }

    @Test func `a number that is none is damage, and not the end of what is an archive`() throws {
        var sample = TarSample()
        sample.header("a") { $0.replaceSubrange(124..<135, with: "nine bytes ".utf8) }
        let failure = #expect(throws: Failure.self) { try TarSample.members(of: sample.bytes) }
        #expect(failure?.archiveDamage?.offset == 0)
    }

    @Test func `what programs read differently is refused`() {
        for flag in "2346" {
            var sample = TarSample()
            sample.header("a", flag: flag, size: 512)
            #expect(throws: Failure.self, "\(flag)") { try TarSample.members(of: sample.bytes) }
        }
        var sample = TarSample()
        sample.file("a", [])
        sample.records([("path", "b")])
        sample.zeros()
        #expect(throws: Failure.self) { try TarSample.members(of: sample.bytes) }
    }

    @Test(arguments: [(8, true), (17, false)])
    func `the headers of a member are not larger than its index allows`(count: Int, isFine: Bool) throws {
        var sample = TarSample()
        for _ in 0..<count { sample.records([("comment", String(repeating: "c", count: 1_000_000))]) }
        sample.file("a", [])
        guard isFine else {
            #expect(throws: Failure.self) { try TarSample.members(of: sample.bytes) }
            return
        }
        let index = try #require(ArchiveIndex(try TarSample.index(of: sample.bytes)))
        try index.visit { #expect($0.path == Array("a".utf8)) }
    }

    @Test func `a changed bit of a header shows`() {
        let bytes = TarSample.files([1]).bytes
        let members = try? TarSample.members(of: bytes)
        for place in 0..<512 {
            var changed = bytes
            changed[512 + place] ^= 4
            let found = try? TarSample.members(of: changed)
            // Behind the digits of the checksum there is a byte without a meaning.
            #expect(found == nil || found == members && place == 155, "\(place)")
        }
    }

    @Test(arguments: [(UInt64(1) << 33, true), (1 << 61, true), (1 << 63, false)])
    func `sizes over eight gigabytes are binary`(size: UInt64, isFine: Bool) throws {
        var sample = TarSample()
        sample.header("a", magic: TarSample.gnu) { block in
            block.replaceSubrange(124..<136, with: [0x80] + [UInt8](repeating: 0, count: 11))
            for place in 0..<8 { block[128 + place] = UInt8(truncatingIfNeeded: size >> UInt64(56 - 8 * place)) }
        }
        guard isFine else {
            #expect(throws: Failure.self) { try TarSample.members(of: sample.bytes, isWhole: false) }
            return
        }
        #expect(try TarSample.members(of: sample.bytes, isWhole: false).first?.contentSize == size)
    }

    /// The fields of a header (POSIX 1003.1, pax, "ustar Header Block"), those of GNU's sparse files, and each of their
    /// first bytes.
    private static let fields = [
        0..<100, 100..<108, 108..<116, 116..<124, 124..<136, 136..<148, 156..<157, 157..<257, 257..<265, 265..<297,
        297..<329, 329..<337, 337..<345, 345..<500, 386..<398, 398..<410, 470..<482, 482..<483, 483..<495,
    ]

    /// Numbers, and what is none, in the forms that fields have.
    private static func values(_ random: inout SeededNumbers) -> [[UInt8]] {
        let texts = ["777777777777", "00000001000 ", "-1", "8", "\0", " "] + "LKxgSDMV1257".map { String($0) }
        var values = texts.map { Array($0.utf8) }
        let ones = [UInt8](repeating: 0xFF, count: 12)
        values += [ones, [0x80] + ones, [0x80, 0, 0, 0] + ones, [0x80, 0, 0, 0, 0x7F] + ones]
        for first in [0x80, 0xFF, 0x30] as [UInt8] {
            values.append([first] + (0..<11).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        return values
    }

    /// What a scanner makes of an archive, and an index of that: nothing traps, and each place is where it can be.
    private static func look(at bytes: [UInt8]) throws {
        guard let members = try? TarSample.members(of: bytes, isWhole: false) else { return }
        var writer = ArchiveIndexWriter()
        for member in members {
            #expect(member.start <= member.data && member.data <= member.end)
            #expect(member.dataRange.lowerBound >= member.start)
            do throws(Failure) { try writer.append(member) } catch { return }
        }
        guard let index = try? writer.finish(contentSize: .max >> 2), let read = ArchiveIndex(index) else { return }
        var listed: [ArchiveMember] = []
        try? read.visit { listed.append($0) }
        #expect(listed == members)
    }

    @Test(arguments: 0..<8)
    func `a header may say anything`(seed: Int) throws {
        let bytes = Self.archive.bytes
        var random = SeededNumbers(seed: UInt64(seed))
        for start in stride(from: 0, to: bytes.count, by: 512) {
            let isHeader = bytes[start..<start + 512].withUnsafeBytes { TarHeader($0) != nil }
            guard isHeader else { continue }
            for field in Self.fields {
                for value in isLong ? Self.values(&random) : [Self.values(&random).randomElement(using: &random) ?? []]
                {
                    var changed = bytes
                    let end = min(field.upperBound, field.lowerBound + value.count)
                    changed.replaceSubrange(
                        start + field.lowerBound..<start + end, with: value.prefix(end - field.lowerBound))
                    changed.replaceSubrange(start + 148..<start + 156, with: "        ".utf8)
                    let sum = String(changed[start..<start + 512].reduce(0) { $0 + Int($1) }, radix: 8)
                    changed.replaceSubrange(start + 148..<start + 148 + sum.utf8.count, with: sum.utf8)
                    try Self.look(at: changed)
                }
            }
        }
    }

    @Test(
        arguments: [
            "path", "linkpath", "size", "mtime", "atime", "uid", "gid", "uname", "gname", "GNU.sparse.size",
            "GNU.sparse.offset",
            "GNU.sparse.numbytes", "GNU.sparse.map", "GNU.sparse.numblocks", "GNU.sparse.realsize", "GNU.sparse.name",
            "GNU.sparse.major", "GNU.sparse.minor", "hdrcharset", "SCHILY.xattr.user.a",
        ])
    func `an extended header may say anything`(key: String) throws {
        let long = String(repeating: "9", count: 40)
        for value in [
            "", "0", "1", "-1", "+1", long, "-" + long, "0." + long, long + "." + long, "1e9", ".", "-.", "-0.5",
            "\u{0}",
            "18446744073709551615", "18446744073709551616", "9223372036854775807", "-9223372036854775808.999999999999",
            "-9223372036854775809", "4611686018427387904", "1,2", "0,0,0", "0," + long, long + ",1",
            "512,18446744073709551615",
            " 1", "1 ", "0x10", "a\nb", "é", String(repeating: "/", count: 3000),
        ] {
            for others in [[], [("GNU.sparse.major", "1"), ("GNU.sparse.minor", "0")], [("GNU.sparse.size", "600")]] {
                for flag in ["0", "1", "2", "5", "S"] as [Character] {
                    var archive = TarSample()
                    archive.records(others + [(key, value)])
                    archive.header("a", flag: flag, size: 3)
                    archive.data([1, 2, 3])
                    archive.file("b", [1])
                    try Self.look(at: archive.bytes)
                }
            }
        }
    }
}
