import SluiceEngine
import SystemPackage
import Testing

@testable import SluiceCommand

@Suite struct FileNameTests {
    @Test(
        arguments: [
            ("a", "a.zst"), ("a.zst", "a.zst.zst"), ("folder/a.tar", "folder/a.tar.zst"), ("/a", "/a.zst"),
            ("./a", "./a.zst"),
            (".hidden", ".hidden.zst"),
        ] as [(FilePath, FilePath)])
    func `compressed files have the suffix`(_ plain: FilePath, _ compressed: FilePath) {
        #expect(FileName.compressed(plain) == compressed)
    }

    @Test(
        arguments: [
            ("a.zst", "a"), ("a.zstd", "a"), ("a.tar.zstd", "a.tar"), ("folder/a.tar.zst", "folder/a.tar"),
            ("a.tzst", "a.tar"), ("a.zst.zst", "a.zst"),
            ("/x.zst/a.zst", "/x.zst/a"), ("a.b.tzst", "a.b.tar"), ("a.zst.gz", "a.zst"), ("a.tar.xz", "a.tar"),
            ("a.lzma", "a"), ("a.lz4", "a"), ("a.tgz", "a.tar"), ("a.txz", "a.tar"), ("a.tlz", "a.tar"),
            ("a.tlz4", "a.tar"),
        ] as [(FilePath, FilePath)])
    func `the suffix goes`(_ compressed: FilePath, _ plain: FilePath) {
        #expect(FileName.decompressed(compressed) == plain)
    }

    @Test(
        arguments: [
            "a", "zst", ".zst", ".tzst", "a.ZST", "a.zst.bz2", "a.GZ", ".gz", "folder.zst/a", "folder/.zst", "/",
            "zstd", ".zstd", "a.tzstd",
        ] as [FilePath])
    func `other names have none`(_ name: FilePath) {
        #expect(FileName.decompressed(name) == nil)
    }

    @Test func `bytes that are not UTF-8 stay as they are`() throws {
        let name: [CChar] = [0x66, -1, -2, 0]
        let path = try #require(name.withUnsafeBufferPointer { $0.baseAddress.map { FilePath(platformString: $0) } })
        let compressed = FileName.compressed(path)
        #expect(compressed.lastComponent?.bytes == [0x66, 0xFF, 0xFE] + Array(".zst".utf8))
        #expect(FileName.decompressed(compressed) == path)
    }

    @Test(arguments: [
        ("a.zst", true), ("a.tar.gz", true), ("b/a.jpeg", true), ("a.zpaq", true), ("a.txt", false), ("zst", false),
        (".zst", false), ("a.ZST", false), ("a.zst.txt", false), ("a.png/b", false),
    ])
    func `the last suffix says what is compressed`(_ name: String, _ isCompressed: Bool) {
        #expect(FileName.isCompressed(FilePath(name)) == isCompressed)
    }

    @Test(arguments: [
        ("out", "out"), ("out/", "out"), ("out//", "out"), ("out/.", "out"), ("./out/./", "./out"), (".", "."),
        ("./", "."), ("/", "/"), ("../", ".."), ("a/../", "a/.."),
    ])
    func `a folder for outputs is named without a slash at its end`(_ word: String, _ path: FilePath) {
        #expect(OutputFolder(path: FilePath(word: Array(word.utf8)), isMirror: true).path == path)
    }

    @Test(arguments: [
        ("a.zst", "out/a.zst", "out/a.zst"), ("./b/a.zst", "out/a.zst", "out/b/a.zst"),
        ("/b/./c/a.zst", "out/a.zst", "out/b/c/a.zst"), ("../a.zst", "out/a.zst", "out/a.zst"),
    ])
    func `a folder for outputs takes the last name, or all of them`(_ name: String, _ flat: String, _ mirror: String) {
        #expect(OutputFolder(path: "out", isMirror: false).place(of: FilePath(name)) == FilePath(flat))
        #expect(
            OutputFolder(path: FilePath(word: Array("out/".utf8)), isMirror: true).place(of: FilePath(name))
                == FilePath(mirror))
    }
}
