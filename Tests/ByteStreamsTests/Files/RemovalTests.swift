import Glibc
import SystemPackage
import Testing

@testable import ByteStreams

struct RemovalTests {
    @Test func `what is meant goes, and has another name when it is looked at`() throws {
        let folder = try OutputFileTests.Folder()
        try folder.write("content", to: "source")
        let identity = try FileIdentity(at: folder.path.appending("source"))
        let removal = try Removal.of(folder.path.appending("source"), in: nil) { file in
            #expect(folder.names.map(\.string).allSatisfy { $0.hasPrefix(".source.") && $0.hasSuffix(".tmp") })
            return file.isUnwritten(since: identity)
        }
        #expect(removal == .removed)
        #expect(folder.names == [])
    }

    @Test(arguments: ["written", "replaced", "touched"])
    func `what has changed stays under its name`(how: String) throws {
        let folder = try OutputFileTests.Folder()
        let path = folder.path.appending("source")
        try folder.write("content", to: "source")
        let identity = try FileIdentity(at: path)
        switch how {
        case "written": try folder.write("content and more", to: "source")
        case "replaced":
            try folder.write("content", to: "other")
            #expect(rename(folder.path.appending("other").string, path.string) == 0)
        default: #expect(utimes(path.string, nil) == 0)
        }
        let content = folder.read("source")
        #expect(try Removal.of(path, in: nil) { $0.isUnwritten(since: identity) } == .kept)
        #expect(folder.names == ["source"])
        #expect(folder.read("source") == content)
    }

    @Test func `what is not meant stays, though something else takes its name`() throws {
        let folder = try OutputFileTests.Folder()
        try folder.write("one", to: "source")
        let removal = try Removal.of(folder.path.appending("source"), in: nil) { _ in
            try? folder.write("two", to: "source")
            return false
        }
        guard case .keptAs(let path) = removal else {
            Issue.record("\(removal)")
            return
        }
        #expect(readText(path.string) == "one")
        #expect(folder.read("source") == "two")
        #expect(folder.names.count == 2)
    }

    @Test func `what is not there is an error, and so is a link to nothing, which stays`() throws {
        let folder = try OutputFileTests.Folder()
        let path = folder.path.appending("source")
        #expect(throws: Errno.noSuchFileOrDirectory) { try Removal.of(path, in: nil) { _ in true } }
        #expect(symlink("nothing", path.string) == 0)
        #expect(throws: Errno.noSuchFileOrDirectory) { try Removal.of(path, in: nil) { _ in true } }
        #expect(folder.names == ["source"])
    }
}
