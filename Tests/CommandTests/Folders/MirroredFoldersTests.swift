import Glibc
import SluiceEngine
import SystemPackage
import Testing

@testable import SluiceCommand

/// Where outputs go with `--output-dir-flat` and `--output-dir-mirror`.
@Suite struct MirroredFoldersTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: [
        ("a", "out/a", "out/a"), ("x/y/a", "out/a", "out/x/y/a"), ("/x/a", "out/a", "out/x/a"),
        ("./x/../a", "out/a", "out/x/a"), ("../a", "out/a", "out/a"),
    ]) func `a flat folder takes the last name, a mirror all, and none leads out of it`(
        name: FilePath, flat: FilePath, mirror: FilePath
    ) {
        for path: FilePath in ["out", "out/.", "out/./."] {
            #expect(OutputFolder(path: path, isMirror: false).place(of: name) == flat)
            #expect(OutputFolder(path: path, isMirror: true).place(of: name) == mirror)
        }
    }

    @discardableResult
    private func prepare(_ name: FilePath, in out: FilePath, isForced: Bool = false) throws -> OpenFolder {
        let source = folder.path.appending(name.components)
        let target = OutputFolder(path: out, isMirror: true).place(of: source)
        let mirror = MirroredFolders(in: out, isForced: isForced, isSynced: false)
        return try mirror.folder(for: target, of: Operand(source))
    }

    @Test func `directories are made with their modes, and once`() throws {
        let (tree, out) = (try Folder(in: folder, "tree"), folder.path.appending("out"))
        defer { remove(out, folder.path.appending("tree")) }
        try #require(chmod(tree.path.string, 0o750) == 0)
        for _ in 1...2 { try prepare("tree/a", in: out) }
        let made = OutputFolder(path: out, isMirror: true).place(of: tree.path)
        let identity = try FileIdentity(at: made)
        #expect(identity.kind == .directory && identity.mode == 0o750)
    }

    @Test func `a link in the mirror is followed only with -f`() throws {
        let (tree, elsewhere, out) = (
            try Folder(in: folder, "tree"), try Folder(in: folder, "elsewhere"), folder.path.appending("out")
        )
        let place = OutputFolder(path: out, isMirror: true).place(of: tree.path)
        defer { remove(out, folder.path) }
        try prepare("a", in: out)
        try #require(symlink(elsewhere.path.string, place.string) == 0)
        defer { unlink(place.string) }
        let error = #expect(throws: Complaint.self) { try prepare("tree/a", in: out) }
        #expect(error?.hint == "-f follows it")
        try prepare("tree/a", in: out, isForced: true)
    }

    /// Removes the mirror of a directory: empty directories, from the innermost on.
    private func remove(_ out: FilePath, _ source: FilePath) {
        var place = OutputFolder(path: out, isMirror: true).place(of: source)
        while place != out.removingLastComponent() {
            rmdir(place.string)
            place.removeLastComponent()
        }
    }
}
