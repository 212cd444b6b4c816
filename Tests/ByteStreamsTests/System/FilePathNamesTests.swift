import SystemPackage
import Testing

@testable import ByteStreams

@Suite struct FilePathNamesTests {
    @Test(arguments: ["", "/", "a", "/a", "a/b", "/a/b", "a/", "/a/b/", "//a", "../a", "a//b", ".", "/..", "é/ü"])
    func `the parent is the path without its last component`(path: FilePath) {
        #expect(path.parent == path.removingLastComponent())
    }
}
