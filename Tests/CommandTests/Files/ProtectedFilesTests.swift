import Glibc
import SluiceEngine
import SystemPackage
import Testing

@testable import SluiceCommand

/// Which files give way to others.
@Suite struct ProtectedFilesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `a file that got its name gives way to its own source only, and one that did not to all`() throws {
        let paths = try ["one", "two", "made"].map { try folder.write($0, to: $0) }
        let protected = ProtectedFiles(try Settings(["-f"], for: Array(paths[..<2])))
        let (one, two) = (try file(paths[2], from: paths[0]), try file(paths[2], from: paths[1]))
        for hasName in [false, true] {
            #expect(protected.giveName(to: one) { hasName } == hasName)
            #expect(protected.objection(to: one) == nil)
            #expect((protected.objection(to: two) != nil) == hasName)
        }
    }

    @Test func `a name that could not be given is forgotten, and the turn goes on`() throws {
        let paths = try ["one", "two", "made"].map { try folder.write($0, to: $0) }
        let protected = ProtectedFiles(try Settings(["-f"], for: Array(paths[..<2])))
        let one = try file(paths[2], from: paths[0])
        for _ in 1...2 {
            #expect(throws: Failure.cancelled) {
                try protected.giveName(to: one) { () throws(Failure) in throw .cancelled }
            }
        }
        #expect(protected.objection(to: try file(paths[2], from: paths[1])) == nil)
    }

    @Test func `what is read gives way to nothing else`() throws {
        let paths = try ["one", "two"].map { try folder.write($0, to: $0) }
        let protected = ProtectedFiles(try Settings(["-f"], for: paths))
        #expect(protected.objection(to: try file(paths[1], from: paths[0])) != nil)
        #expect(protected.objection(to: try file(paths[1], from: paths[1])) == nil)
    }

    @Test(arguments: [
        (["-f"], true, true), ([], true, false), (["-f", "--rm"], true, false), (["-f"], false, false),
        (["-f", "-c"], true, false), (["-ft"], true, false),
    ])
    func `forced by zstd's name, an operand gives way to what another one becomes, and they are done in turn`(
        _ words: [String], _ followsZstd: Bool, _ isChain: Bool
    ) throws {
        let paths = try ["x", "x.zst"].map { try folder.write($0, to: $0) }
        let protected = ProtectedFiles(try Settings(words, followsZstd: followsZstd, for: paths))
        #expect(protected.isChain == isChain)
        let objection = protected.objection(to: try file(paths[1], from: paths[0]))
        #expect((objection == nil) == isChain)
        #expect(isChain || objection?.hint != nil)
        // Where no operand is what another becomes, many are done at once.
        let others = ProtectedFiles(try Settings(words, followsZstd: true, for: [paths[0]]))
        #expect(!others.isChain)
    }

    @Test func `what is left out is not read, and gives way`() throws {
        let paths = try ["x", "x.zst"].map { try folder.write($0, to: $0) }
        let settings = try Settings(["-f", "--exclude-compressed"], for: paths)
        #expect(ProtectedFiles(settings).objection(to: try file(paths[1], from: paths[0])) == nil)
    }

    /// The two may be one, in a folder that is mounted twice, whatever is seen of it there.
    @Test(arguments: [("a.tzst", "a.tar.zst", true), ("a.zst", "a.zst", false)])
    func `what is there gives way to no namesake of a file that was made on another device from another name`(
        first: String, second: String, isRefused: Bool
    ) throws {
        let elsewhere = FilePath("/dev/shm/sluice-\(UInt64.random(in: .min ... .max))")
        try #require(mkdir(elsewhere.string, 0o700) == 0)
        defer { _ = elsewhere.withPlatformString { rmdir($0) } }
        let old = try folder.write("old", to: "a")
        let sources = [elsewhere.appending(first), try folder.write("two", to: second)]
        // The clock of files goes in steps.
        usleep(20_000)
        let protected = ProtectedFiles(try Settings(["-f"], for: sources))
        let new = NewFile(
            place: OutputPlace(elsewhere.appending("a")), identity: try FileIdentity(at: elsewhere),
            source: SourceFile(operand: Operand(sources[0]), identity: try FileIdentity(at: elsewhere)))
        let device = try FileIdentity(at: old).device
        try #require(new.identity?.device != device)
        #expect(protected.giveName(to: new) { true })
        #expect((protected.objection(to: try file(old, from: sources[1])) != nil) == isRefused)
        // A name that was asked for and not given is taken, also if nothing is seen there.
        let unseen = NewFile(
            place: OutputPlace(old.removingLastComponent().appending("b/a")), identity: try FileIdentity(at: old),
            source: try source(sources[1]))
        #expect(protected.objection(to: unseen) != nil)
    }

    private func file(_ target: FilePath, from source: FilePath) throws -> NewFile {
        NewFile(place: OutputPlace(target), identity: try FileIdentity(at: target), source: try self.source(source))
    }

    private func source(_ path: FilePath) throws -> SourceFile {
        SourceFile(operand: Operand(path), identity: try FileIdentity(at: path))
    }
}
