import Glibc
import SluiceEngine
import SystemPackage
import Testing

@testable import SluiceCommand

/// What `--rm` removes.
@Suite struct SourceFileTests {
    private let folder: Folder
    private let path: FilePath
    private let names = RemovedNames()

    init() throws {
        folder = try Folder()
        path = try folder.write("content", to: "a")
    }

    private func opened(_ operand: Operand) throws -> SourceFile {
        SourceFile(operand: operand, identity: try operand.identity(followingLinks: true))
    }

    @Test func `a file that was written, replaced or removed meanwhile stays as it is`() throws {
        let file = try opened(Operand(path))
        try folder.write("other content", to: "a")
        #expect(throws: Complaint.self) { try file.remove(names) }
        #expect(folder.content("a") == Array("other content".utf8))
        try folder.write("third", to: "b")
        try #require(rename(folder.path.appending("b").string, path.string) == 0)
        let error = #expect(throws: Complaint.self) { try file.remove(names) }
        #expect(error?.sentence.contains("changed while it was read") == true)
        #expect(folder.content("a") == Array("third".utf8))
        try #require(unlink(path.string) == 0)
        #expect(throws: Complaint.self) { try file.remove(names) }
    }

    @Test func `a name that is opened in the middle of another name's removal goes too`() throws {
        let step = { _ = usleep(20_000) }
        let other = folder.path.appending("b")
        try #require(link(path.string, other.string) == 0)
        var middle: SourceFile?
        try names.remove(from: try FileIdentity(at: path)) { _ throws(Complaint) in
            do {
                let before = try FileIdentity(at: other)
                step()
                try #require(rename(path.string, folder.path.appending("c").string) == 0)
                middle = try opened(Operand(other))
                step()
                try #require(unlink(folder.path.appending("c").string) == 0)
                return (before, try FileIdentity(at: other))
            } catch {
                Issue.record(error)
                return nil
            }
        }
        try #require(middle).remove(names)
        #expect(folder.content("b") == nil)
    }

    @Test func `through a link the link goes`() throws {
        let link = folder.path.appending("link")
        try #require(symlink(path.string, link.string) == 0)
        try opened(Operand(link)).remove(names)
        #expect(folder.names == ["a"])
        var status = stat()
        #expect(lstat(link.string, &status) != 0)
    }

    @Test func `all names of a file go, and none once somebody else changes it`() throws {
        let paths = ["a", "b", "c", "d"].map(folder.path.appending)
        for other in paths.dropFirst() { try #require(link(path.string, other.string) == 0) }
        let files = try paths.map { try opened(Operand($0)) }
        for file in files.prefix(2) { try file.remove(names) }
        #expect(folder.names == ["c", "d"])
        try #require(chmod(paths[2].string, 0o600) == 0)
        for file in files.suffix(2) { #expect(throws: Complaint.self) { try file.remove(names) } }
        #expect(folder.names == ["c", "d"])
        // What is opened now is as it was then.
        for file in try paths.suffix(2).map({ try opened(Operand($0)) }) { try file.remove(names) }
        #expect(folder.names == [])
    }

    @Test func `what is no file stays`() throws {
        let fifo = folder.path.appending("fifo")
        try #require(mkfifo(fifo.string, 0o600) == 0)
        try opened(Operand(fifo)).remove(names)
        #expect(access(fifo.string, F_OK) == 0)
    }

    @Test func `a file that was found is removed from its own directory, whatever that is called now`() throws {
        let tree = try Folder(in: folder, "tree")
        try tree.write("found", to: "a")
        let file = try opened(Operand("a", in: SluiceCommand.Folder(Operand(tree.path), isLink: false)))
        let moved = folder.path.appending("moved")
        try #require(rename(tree.path.string, moved.string) == 0)
        defer { rename(moved.string, tree.path.string) }
        try #require(symlink(folder.path.string, tree.path.string) == 0)
        defer { unlink(tree.path.string) }
        try file.remove(names)
        #expect(folder.content("a") == Array("content".utf8))
        #expect(access(moved.appending("a").string, F_OK) != 0)
    }
}
