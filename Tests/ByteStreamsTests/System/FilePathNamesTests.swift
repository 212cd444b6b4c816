import SystemPackage
import Testing

@testable import ByteStreams

@Suite struct FilePathNamesTests {
    @Test(arguments: ["", "/", "a", "/a", "a/b", "/a/b", "a/", "/a/b/", "//a", "../a", "a//b", ".", "/..", "é/ü"])
    func `the parent is the path without its last component`(path: FilePath) {
        #expect(path.parent == path.removingLastComponent())
    }

    @Test(
        arguments: [
            ("/dev/stdin", true), ("/dev/stdout", true), ("/dev/fd/7", true), ("//dev/fd/63", true),
            ("/proc/self/fd/0", true), ("/proc/thread-self/fd/1", true), ("/proc/17/fd/2", true),
            ("/proc/17/task/18/fd/2", true),
            ("/dev/shm/x", false), ("/dev/shm/fd/1", false), ("/dev/fd", false), ("/dev/fd/x", false),
            ("/dev/fd/../shm/1", false), ("/proc/self/cwd/fd/1", false), ("/proc/self/root/fd/1", false),
            ("/proc/../fd/1", false), ("/proc/17/task/../fd/1", false), ("/proc/17/cwd/x/fd/1", false),
            ("/proc/version", false), ("/dev/stdin/x", false), ("dev/fd/1", false), ("/fd/1", false), ("", false),
        ] as [(FilePath, Bool)])
    func `only names that the kernel itself links are those of descriptors`(path: FilePath, isOne: Bool) {
        #expect(path.isOpenDescriptor == isOne)
    }
}
