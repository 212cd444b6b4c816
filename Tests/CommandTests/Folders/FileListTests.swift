import SystemPackage
import Testing

@testable import SluiceCommand

/// What is taken for names in a file of names.
@Suite struct FileListTests {
    private func names(in content: String) throws -> [FilePath] {
        let folder = try Folder()
        return try withExtendedLifetime(folder) { try FileList.names(in: folder.write(content, to: "list")) }
    }

    @Test(arguments: ["a\nb\n", "a\nb", "a\0b\0", "a\0b"]) func `lines are names, or what zero bytes end`(
        _ content: String
    ) throws {
        #expect(try names(in: content) == ["a", "b"])
    }

    @Test func `zero bytes without a name are no list, however many there are`() {
        for content in [String(repeating: "\0", count: 1 << 20), "a\0\0b\0", "\0a\0"] {
            #expect(throws: Complaint.self) { try names(in: content) }
        }
    }

    @Test func `empty lines are told once`() throws {
        #expect(try names(in: "a\n\n\nb\n" + String(repeating: "\n", count: 1 << 16)) == ["a", "", "b"])
    }
}
