import StreamTestSupport
import TestSupport
import Testing

@testable import Archives
@testable import Sluice
@testable import SluiceEngine

/// The members of an archive for programs.
@Suite(.timeLimit(.minutes(4)))
struct ArchiveMembersTests {
    private static let archive = TarSample.files((0..<2500).map { $0 % 100 == 0 ? 30_000 : $0 % 700 }).bytes

    private static func file(isIndexed: Bool) throws -> NamelessFile {
        let compression = Compression(level: 1, frameSize: 1 << 16)
        let operation: any RunOperation = isIndexed ? ArchiveCompression(compression) : compression
        return try NamelessFile(Job(operation, threads: 2).output(of: archive))
    }

    @Test(arguments: [true, false])
    func `members come in their order, with their bytes`(isIndexed: Bool) async throws {
        let descriptor = try Self.file(isIndexed: isIndexed)
        let file = try CompressedFile(descriptor.descriptor)
        var members: [ArchiveMember] = []
        for try await member in file.members { members.append(member) }
        #expect(members == (try TarSample.members(of: Self.archive)))
        for member in members.filter({ $0.kind.isFile }).suffix(20) {
            let content = Self.archive[member.dataRange]
            #expect(try file.read(member) == Array(content))
        }
    }

    @Test func `a member that is not what the headers say is not read`() async throws {
        let descriptor = try Self.file(isIndexed: true)
        let file = try CompressedFile(descriptor.descriptor)
        let members = try TarSample.members(of: Self.archive)
        for change: (inout ArchiveMember) -> Void in [
            { $0.path = [] }, { $0.contentSize += 1 }, { $0.data += 512 }, { $0.start += 512 },
            { $0.contentSize = .max }, { $0.data = .max }, { $0.start = .max },
            { $0.mode = 0 }, { $0.kind = .contiguousFile },
        ] {
            var member = members[5]
            change(&member)
            #expect(throws: Failure.self) { try file.read(member) }
        }
        #expect(throws: Failure.self) { try file.read(members[0]) }
    }

    @Test func `the members that a partial index has come before the failure`() async throws {
        let archive = Array(Self.archive[..<100_000])
        let descriptor = try NamelessFile(
            Job(ArchiveCompression(Compression(level: 1)), threads: 2).output(of: archive))
        let file = try CompressedFile(descriptor.descriptor)
        var members: [ArchiveMember] = []
        await #expect(throws: Failure.self) { for try await member in file.members { members.append(member) } }
        #expect(try members == TarSample.members(of: Self.archive).filter { $0.end <= 100_000 })
    }

    @Test func `what is no archive, or a cut one, has no end of members`() async throws {
        for content in [sample(100_000), Array(Self.archive[..<100_000]), []] {
            let descriptor = try NamelessFile(Job.compress().output(of: content))
            let file = try CompressedFile(descriptor.descriptor)
            await #expect(throws: Failure.self) { for try await _ in file.members {} }
        }
    }
}
