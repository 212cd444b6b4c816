import StreamTestSupport
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import Archives
@testable import SluiceEngine

/// Archives that are compressed with an index of their members, and what is got out of them.
@Suite(.timeLimit(.minutes(4)))
struct ArchiveRunTests {
    private static let archive = TarSample.files((0..<300).map { $0 % 17 == 0 ? 90_000 : $0 * 20 }).bytes

    private static func job(threads: Int = 2, reading: ReadingMode = .auto) -> Job {
        var job = Job(ArchiveCompression(Compression(level: 1, frameSize: 1 << 16)), threads: threads)
        job.reading = reading
        return job
    }

    private static func extracting(_ names: [String], asArchive: Bool = false, indexFile: IndexFile? = nil) -> Job {
        let selection = MemberSelection(names.map { MemberPattern(Array($0.utf8)) }, asArchive: asArchive)
        return Job(MemberExtraction(selection, indexFile: indexFile), threads: 2)
    }

    private static func content(of name: String, in archive: [UInt8] = Self.archive) throws -> [UInt8] {
        let members = try TarSample.members(of: archive)
        let member = try #require(members.last { $0.path == Array(name.utf8) })
        return Array(archive[member.dataRange])
    }

    @Test(arguments: [1, 2, 7], ReadingMode.allCases)
    func `the bytes depend neither on the threads nor on who reads`(threads: Int, reading: ReadingMode) async throws {
        let (one, other) = try await within {
            (
                try Self.job(threads: 1).output(of: Self.archive),
                try Self.job(threads: threads, reading: reading).output(of: Self.archive)
            )
        }
        #expect(other.isSame(as: one))
        let returned = try await within { try Job.decompress().output(of: one) }
        #expect(returned.isSame(as: Self.archive))
    }

    @Test(arguments: [[1, 3, 70_000, 4096, 12_345], [65_536], [1 << 20], [999]])
    func `nor on how the input arrives`(pieces: [Int]) async throws {
        let (file, pipe) = try await within {
            (
                try Self.job().output(of: Self.archive),
                try Self.job().outcomeThroughPipes(of: Self.archive, pieces: pieces)
            )
        }
        #expect(pipe.failure == nil)
        #expect(pipe.bytes.isSame(as: file))
    }

    @Test func `frames end between members where that takes less than a tenth`() async throws {
        let output = try await within { try Self.job().output(of: Self.archive) }
        let index = try await within {
            let file = try NamelessFile(output)
            return try #require(try FrameSearch(source: Source(file.descriptor)).index(reaching: nil)).index
        }
        let members = try TarSample.members(of: Self.archive)
        let borders = Set(members.map(\.end))
        var (start, missed) = (UInt64(0), 0)
        for position in 0..<index.count where !index[position].content.isEmpty {
            let content = index[position].content
            #expect(content.lowerBound == start && content.count <= 1 << 16)
            start = content.upperBound
            if start == UInt64(Self.archive.count) { continue }
            #expect(content.count > (1 << 16) * 9 / 10)
            let near = content.lowerBound + (1 << 16) * 9 / 10 + 2...content.lowerBound + 1 << 16
            if !borders.contains(start) {
                missed += 1
                #expect(!borders.contains { near.contains($0) })
            }
        }
        #expect(2 * missed <= index.count)
    }

    @Test(arguments: [0, 1, 511, 512, 70_000])
    func `what is no tar is refused`(count: Int) async throws {
        let outcome = try await within { try Self.job().outcome(of: sample(count)) }
        #expect(outcome.failure == .noArchive)
        #expect(outcome.bytes.isEmpty)
    }

    /// What a file that was compressed with an index lists, up to a failure.
    private static func list(_ file: [UInt8]) throws -> (members: [ArchiveMember], failure: Failure?) {
        let members = Mutex<[ArchiveMember]>([])
        let job = Job(ArchiveListing { member in members.withLock { $0.append(member) } })
        let failure = try job.outcome(of: file).failure
        return (members.withLock { $0 }, failure)
    }

    @Test(arguments: [600, 1111, 1112, 70_600, 250_000], [0, 513, 100_000])
    func `of an archive that can't be followed to its end, what is in front of that is indexed`(
        cut: Int, more: Int
    ) async throws {
        // Cut, or with something else in the middle.
        let archive = Array(Self.archive[..<cut]) + sample(more, seed: 7)
        let (stops, output, listed, returned, again) = try await within {
            let stops = Mutex<[UInt64]>([])
            let compression = Compression(level: 1, frameSize: 1 << 16)
            let operation = ArchiveCompression(compression) { _, offset in stops.withLock { $0.append(offset) } }
            let job = Job(operation, threads: 2)
            let output = try job.output(of: archive)
            let first = stops.withLock { $0 }
            // A second run of the same operation has an index of its own.
            return (
                first, output, try Self.list(output), try Job.decompress().output(of: output),
                try job.output(of: archive)
            )
        }
        #expect(returned.isSame(as: archive))
        #expect(again == output)
        #expect(stops.count == 1)
        let whole = try TarSample.members(of: Self.archive)
        // What came in the middle may have become the data of the last one.
        let (least, most) = (whole.count { $0.end <= UInt64(cut) }, whole.count { $0.data <= UInt64(cut) })
        #expect(listed.members == Array(whole.prefix(listed.members.count)))
        #expect((least...most).contains(listed.members.count))
        #expect(listed.failure?.code == .archive)
        #expect(listed.failure?.message.hasPrefix("damaged tar archive at byte ") == true)
        let last = String(decoding: try #require(listed.members.last).path, as: UTF8.self)
        let (found, notices, missing) = try await within {
            let notices = Mutex<[MemberSelection.Notice]>([])
            let selection = MemberSelection([MemberPattern(Array(last.utf8))], asArchive: true)
            let job = Job(MemberExtraction(selection) { _, found in notices.withLock { $0 = found } }, threads: 2)
            return (
                try job.outcome(of: output), notices.withLock { $0 },
                try Self.extracting(["d/299"]).outcome(of: output)
            )
        }
        #expect(found.failure == nil && !found.bytes.isEmpty)
        // One of the same name could follow.
        let end = try #require(stops.first)
        #expect(notices.contains { if case .unlisted(end) = $0 { true } else { false } })
        #expect(end == listed.members.last?.end)
        #expect(missing.failure?.message.contains("has no member named d/299") == true)
    }

    @Test func `what is said of a member in front of it leaves with it, and is no namesake`() async throws {
        var sample = TarSample()
        for content in [[1], [2, 2]] as [[UInt8]] {
            sample.header("f", flag: "A", size: 3)
            sample.data(Array("acl".utf8))
            sample.file("f", content)
        }
        sample.file("g", [3])
        sample.header("h", flag: "1", link: "f")
        sample.zeros()
        let archive = sample.bytes
        let (alone, asArchive, both, link, linkAlone) = try await within {
            let file = try Self.job().output(of: archive)
            return (
                try Self.extracting(["f"]).output(of: file),
                try Self.extracting(["f"], asArchive: true).output(of: file),
                try Self.extracting(["f", "g"]).output(of: file),
                try Self.extracting(["h"], asArchive: true).output(of: file),
                try Self.extracting(["h"]).output(of: file)
            )
        }
        #expect(alone == [2, 2])
        #expect(linkAlone == [2, 2])
        #expect(try TarSample.members(of: link).map(\.kind.rawValue) == Array("A01".utf8))
        #expect(try TarSample.members(of: asArchive).map(\.kind.rawValue) == Array("A0".utf8))
        #expect(try TarSample.members(of: asArchive).last?.contentSize == 2)
        #expect(try TarSample.members(of: both).map(\.path) == ["f", "f", "g"].map { Array($0.utf8) })
    }

    @Test(arguments: ["d/0", "d/1", "d/17", "d/150", "d/299"])
    func `the content of a member comes alone`(name: String) async throws {
        let wanted = try Self.content(of: name)
        let outputs = try await within {
            let indexed = try Self.job().output(of: Self.archive)
            let foreign = try Job.compress().output(of: Self.archive)
            return (try Self.extracting([name]).output(of: indexed), try Self.extracting([name]).output(of: foreign))
        }
        #expect(outputs.0 == wanted)
        #expect(outputs.1 == wanted)
    }

    /// Of a stream, which is decoded once, in order.
    @Test(arguments: [100, 513, 70_000, 1 << 20])
    func `an archive that comes only once has the members of a file`(piece: Int) async throws {
        let (wrong, failures) = try await within {
            let indexed = try Self.job().output(of: Self.archive)
            let foreign = try Job.compress().output(of: Self.archive)
            var wrong: [String] = []
            for (file, number) in [indexed, foreign].flatMap({ file in [0, 1, 17, 150, 298].map { (file, $0) } }) {
                let outcome = Self.extracting(["d/\(number)"]).outcomeInMemory(of: file, piece: piece)
                let content = try Self.content(of: "d/\(number)")
                if outcome.failure != nil || outcome.bytes != content { wrong.append("d/\(number)") }
            }
            for names in [["d/3", "d/17", "d/29?"], ["d"], ["d/299"]] {
                let job = Self.extracting(names, asArchive: true)
                let outcome = job.outcomeInMemory(of: indexed, piece: piece)
                let wanted = try job.output(of: indexed)
                if outcome.failure != nil || outcome.bytes != wanted { wrong += names }
            }
            let members = Mutex<[ArchiveMember]>([])
            let listing = Job(ArchiveListing { member in members.withLock { $0.append(member) } })
            let failure = listing.outcomeInMemory(of: indexed, piece: piece).failure
            let listed = try Self.list(indexed).members
            if members.withLock({ $0 }) != listed { wrong.append("the list") }
            let missing = Self.extracting(["none"]).outcomeInMemory(of: indexed, piece: piece).failure
            let several = Self.extracting(["d/1?"]).outcomeInMemory(of: indexed, piece: piece).failure
            return (wrong, [failure?.code, missing?.code, several?.code])
        }
        #expect(wrong.isEmpty)
        #expect(failures == [nil, .archive, .archive])
    }

    @Test func `several members come as an archive of themselves`() async throws {
        let names = ["d/3", "d/17", "d/29?"]
        let output = try await within { try Self.extracting(names).output(of: Self.job().output(of: Self.archive)) }
        let members = try TarSample.members(of: output)
        #expect(members.count == 12)
        for member in members {
            let name = String(decoding: member.path, as: UTF8.self)
            let content = output[member.dataRange]
            #expect(Array(content) == (try Self.content(of: name)))
        }
        let one = try await within {
            try Self.extracting(["d/3"], asArchive: true).output(of: Self.job().output(of: Self.archive))
        }
        #expect(try TarSample.members(of: one).count == 1)
    }

    @Test func `links find their targets, and of equal names the last counts`() async throws {
        var sample = TarSample()
        sample.file("a", [1])
        sample.header("first", flag: "1", link: "a")
        sample.file("a", [2, 2])
        sample.header("second", flag: "1", link: "a")
        sample.header("third", flag: "1", link: "second")
        sample.header("lost", flag: "1", link: "b")
        sample.header("soft", flag: "2", link: "a")
        sample.file("dot", [3])
        sample.file("./dot", [4])
        sample.header("dotted", flag: "1", link: "./dot/")
        sample.zeros()
        let bytes = sample.bytes
        let file = try await within { try Self.job().output(of: bytes) }
        func output(_ names: [String], asArchive: Bool = false) async throws -> Outcome {
            try await within { try Self.extracting(names, asArchive: asArchive).outcome(of: file) }
        }
        #expect(try await output(["a"]).bytes == [2, 2])
        #expect(try await output(["dot"]).bytes == [4])
        #expect(try await output(["first"]).bytes == [1])
        #expect(try await output(["second"]).bytes == [2, 2])
        #expect(try await output(["third"]).bytes == [2, 2])
        #expect(try await output(["dotted"]).bytes == [4])
        for name in ["lost", "soft", "b"] { #expect(try await output([name]).failure?.code == .archive) }
        // What a link means is written in front of it, also if another member of the same name was chosen.
        for (names, written) in [
            (["second"], ["a", "second"]), (["third"], ["a", "second", "third"]),
            (["a", "first"], ["a", "first", "a"]),
            (["dotted"], ["./dot", "dotted"]), (["lost"], ["lost"]),
            (["*"], ["a", "first", "a", "second", "third", "lost", "soft", "./dot", "dotted"]),
        ] {
            let members = try TarSample.members(of: try await output(names, asArchive: true).bytes)
            #expect(members.map { String(decoding: $0.path, as: UTF8.self) } == written)
        }
    }

    /// An index with members elsewhere, of other sizes or other names than the headers say.
    @Test(arguments: 0..<6)
    func `an index that lies is an error, and gives no byte`(lie: Int) async throws {
        let lied = try TarSample.index(of: Self.archive) { members in
            switch lie {
            case 0: members[150].path = members[151].path
            case 1: members[150].contentSize -= 1
            case 2:
                members[150].start += 512
                members[150].data += 512
                members[150].contentSize -= 512
                members[150].storedSize -= 512
            case 3:
                members[150].data += 512
                members[150].storedSize -= 512
            case 4: members[150].mode ^= 0o111
            default:
                members[150].contentSize += 600
                members[150].storedSize += 600
                members.remove(at: 151)
            }
        }
        let name = lie == 0 ? "d/150" : "d/149"
        let outcome = try await within {
            let file = try Job.compress().output(of: Self.archive)
            let index = try Self.sideFile(of: file, members: lied)
            let side = IndexFile(at: FilePath("/proc/self/fd/\(index.descriptor.rawValue)"), isReplacing: false)
            return try Self.extracting([name], indexFile: side).outcome(of: file)
        }
        // The last member of a name is right again.
        if lie == 0 {
            #expect(outcome.failure == nil)
            return #expect(outcome.bytes == (try Self.content(of: name)))
        }
        #expect(outcome.failure?.code == .archive)
        #expect(outcome.bytes.isEmpty)
    }

    private static func sideFile(of file: [UInt8], members: [UInt8]) throws -> NamelessFile {
        let source = try NamelessFile(file)
        var frames = try #require(try FrameSearch(source: Source(source.descriptor)).index(reaching: nil)).index
        _ = frames.append(inputSize: UInt64(file.count) - frames.inputSize, contentSize: 0)
        let sealed = try SealedIndex(frames, of: Source(source.descriptor)).encoded
        return try NamelessFile(Job.compress(frameSize: 1 << 20).output(of: sealed) + members)
    }

    @Test func `members of a file without an index are found by decoding it once`() async throws {
        let found = Mutex<[ArchiveMember]>([])
        let listing = ArchiveListing {
            member in
            found.withLock { $0.append(member) }
        } didEnd: {
            #expect((try? $0.get()) == .decoding)
        }
        try await within {
            _ = try Job(listing, threads: 2).output(of: Job.compress().output(of: Self.archive))
        }
        #expect(found.withLock { $0 } == (try TarSample.members(of: Self.archive)))
    }
}
