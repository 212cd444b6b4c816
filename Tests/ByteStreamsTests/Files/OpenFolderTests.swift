import Glibc
import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams

@Suite struct OpenFolderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a folder that is in use is found again, and not under a name that means another by now`() throws {
        let (one, two) = (scratch.path.appending("one"), scratch.path.appending("two"))
        for path in [one, two] { try systemCall { mkdir(path.string, 0o700) } }
        defer { for path in [one, two, scratch.path.appending("was")] { rmdir(path.string) } }
        let first = try OpenFolder.of(one.appending("file"))
        #expect(try OpenFolder.of(one.appending("other")) === first)
        try systemCall { rename(one.string, scratch.path.appending("was").string) }
        try systemCall { rename(two.string, one.string) }
        let second = try OpenFolder.of(one.appending("file"))
        #expect(second !== first)
        #expect(try second.number == FileIdentity(at: one).number)
    }

    @Test func `a folder is opened or created in another one, and through no link`() throws {
        let root = try OpenFolder(at: scratch.path)
        let (made, isNew) = try root.folder("made", creatingWith: 0o750, followingLinks: false)
        defer { rmdir(scratch.path.appending("made").string) }
        #expect(isNew)
        #expect(try FileIdentity(made.descriptor).mode == 0o750 & ~modeMask())
        #expect(try !root.folder("made", creatingWith: 0o700, followingLinks: false).isNew)
        try systemCall { symlink("made", scratch.path.appending("link").string) }
        #expect(throws: Errno.notDirectory) {
            try root.folder("link", creatingWith: 0o700, followingLinks: false)
        }
        #expect(try root.folder("link", creatingWith: 0o700, followingLinks: true).folder.number == made.number)
    }
}
