import CKernel
import Glibc
import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams

/// What a commit that must fail throws.
func failure(committing file: consuming OutputFile) -> Failure? {
    do throws(Failure) {
        try file.commit(metadataOf: nil, isSynced: false)
        return nil
    } catch { return error }
}

struct OutputFileTests {
    /// A folder that goes with what is in it.
    struct Folder: ~Copyable {
        let path: FilePath

        init() throws {
            var template = Array("\(temporaryFolder)/sluice.XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
            path = FilePath(platformString: template)
        }

        deinit {
            for name in names { _ = path.appending(name).withPlatformString { unlink($0) } }
            _ = path.withPlatformString { rmdir($0) }
        }

        /// The names in it, sorted.
        var names: [FilePath.Component] {
            guard let folder = path.withPlatformString({ opendir($0) }) else { return [] }
            defer { closedir(folder) }
            var names: [FilePath.Component] = []
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: 256) {
                        FilePath.Component(platformString: $0)
                    }
                }
                if let name, name.kind == .regular { names.append(name) }
            }
            return names.sorted { $0.string < $1.string }
        }

        func write(_ words: String, to name: String) throws {
            let file = try FileDescriptor.open(
                path.appending(name), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(words.utf8) }
        }

        func read(_ name: FilePath.Component) -> String { readText(path.appending(name).string) }
        func read(_ name: String) -> String { readText(path.appending(name).string) }
    }

    private static var hasUnnamed: Bool {
        let folder = open(temporaryFolder, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        return sluice_has_unnamed_files(folder)
    }

    @Test(.enabled(if: hasUnnamed, "no nameless files here"), arguments: [true, false], [true, false])
    func `nothing is under any name until it is whole`(isReplacing: Bool, isSynced: Bool) throws {
        let folder = try Folder()
        let file = try OutputFile(at: folder.path.appending("out"), isReplacing: isReplacing)
        try file.descriptor.writeAll("new".utf8)
        #expect(folder.names == [])
        try file.commit(metadataOf: nil, isSynced: isSynced)
        #expect(folder.names == ["out"])
        #expect(folder.read("out") == "new")
    }

    @Test(arguments: [true, false], [true, false])
    func `where each file needs a name, it is a temporary one`(isReplacing: Bool, isSynced: Bool) throws {
        let folder = try Folder()
        let file = try OutputFile(at: folder.path.appending("out"), isReplacing: isReplacing, isNamed: true)
        try file.descriptor.writeAll("new".utf8)
        let names = folder.names.map(\.string)
        #expect(names.count == 1)
        #expect(names[0].hasPrefix(".out.") && names[0].hasSuffix(".tmp"))
        try file.commit(metadataOf: nil, isSynced: isSynced)
        #expect(folder.names == ["out"])
        #expect(folder.read("out") == "new")
    }

    @Test(arguments: [true, false], [true, false])
    func `a file that is discarded leaves nothing, and the old one`(isReplacing: Bool, isNamed: Bool) throws {
        let folder = try Folder()
        try folder.write("old", to: "out")
        do {
            let file = try OutputFile(at: folder.path.appending("out"), isReplacing: isReplacing, isNamed: isNamed)
            try file.descriptor.writeAll("new".utf8)
            #expect(folder.names.count == (isNamed ? 2 : 1))
        }
        #expect(folder.names == ["out"])
        #expect(folder.read("out") == "old")
    }

    @Test(arguments: [true, false])
    func `an old file is replaced on request`(isNamed: Bool) throws {
        let folder = try Folder()
        try folder.write("old", to: "out")
        let file = try OutputFile(at: folder.path.appending("out"), isReplacing: true, isNamed: isNamed)
        try file.descriptor.writeAll("new".utf8)
        #expect(folder.read("out") == "old")
        try file.commit(metadataOf: nil, isSynced: true)
        #expect(folder.names == ["out"])
        #expect(folder.read("out") == "new")
    }

    @Test(arguments: [true, false])
    func `without the request a file that came meanwhile stays, and nothing else`(isNamed: Bool) throws {
        let folder = try Folder()
        let path = folder.path.appending("out")
        let file = try OutputFile(at: path, isReplacing: false, isNamed: isNamed)
        try file.descriptor.writeAll("new".utf8)
        try folder.write("old", to: "out")
        #expect(failure(committing: file) == .file(action: "create", path: path, .fileExists))
        #expect(folder.names == ["out"])
        #expect(folder.read("out") == "old")
    }

    @Test(arguments: [true, false])
    func `a symbolic link is replaced, not followed`(isNamed: Bool) throws {
        let folder = try Folder()
        try folder.write("old", to: "target")
        _ = folder.path.appending("out").withPlatformString { symlink("target", $0) }
        let file = try OutputFile(at: folder.path.appending("out"), isReplacing: true, isNamed: isNamed)
        try file.descriptor.writeAll("new".utf8)
        try file.commit(metadataOf: nil, isSynced: false)
        #expect(folder.read("target") == "old")
        #expect(folder.read("out") == "new")
        #expect(try !FileIdentity(at: folder.path.appending("out"), followingLinks: false).isSymbolicLink)
    }

    @Test(arguments: [mode_t(0o600), 0o644, 0o400, 0o755, 0o4755])
    func `mode, owner and times are the source's`(mode: mode_t) throws {
        let folder = try Folder()
        try folder.write("source", to: "in")
        let source = try FileDescriptor.open(folder.path.appending("in"), .readOnly, options: .closeOnExec)
        defer { try? source.close() }
        let times = [
            timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789), timespec(tv_sec: 1_100_000_000, tv_nsec: 1),
        ]
        #expect(fchmod(source.rawValue, mode) == 0)
        #expect(futimens(source.rawValue, times) == 0)
        let file = try OutputFile(at: folder.path.appending("out"), isReplacing: false)
        #expect(try FileIdentity(file.descriptor).status.st_mode & 0o7777 == 0o600)
        try file.commit(metadataOf: source, isSynced: false)
        let (from, to) = (try FileIdentity(source).status, try FileIdentity(at: folder.path.appending("out")).status)
        // A set-user-ID bit was given to another content.
        #expect(to.st_mode & 0o7777 == mode & 0o777)
        #expect((to.st_uid, to.st_gid) == (from.st_uid, from.st_gid))
        #expect(to.st_mtim.tv_sec == 1_100_000_000 && to.st_mtim.tv_nsec == 1)
        #expect(to.st_atim.tv_sec == 1_000_000_000 && to.st_atim.tv_nsec == 123_456_789)
    }

    /// In a process of its own: the mask is the process's.
    @Test func `a new file has the mode that the process gives new files`() async {
        await #expect(processExitsWith: .success) {
            for mask in [mode_t(0), 0o022, 0o027, 0o077] {
                umask(mask)
                let folder = try Folder()
                let file = try OutputFile(at: folder.path.appending("out"), isReplacing: false)
                try file.commit(metadataOf: nil, isSynced: false)
                #expect(try FileIdentity(at: folder.path.appending("out")).status.st_mode & 0o7777 == 0o666 & ~mask)
            }
        }
    }

    @Test(arguments: [1, 200, 230, 255])
    func `names may be as long as the file system takes them`(length: Int) throws {
        let folder = try Folder()
        for letter in ["x", "é"] {
            let name = String(repeating: letter, count: max(1, length / letter.utf8.count))
            for isNamed in [true, false] {
                let file = try OutputFile(at: folder.path.appending(name), isReplacing: true, isNamed: isNamed)
                try file.commit(metadataOf: nil, isSynced: false)
                #expect(try FileIdentity(at: folder.path.appending(name)).kind == .file)
            }
        }
    }

    @Test func `names are bytes`() throws {
        let folder = try Folder()
        let bytes: [CInterop.PlatformChar] = [0x61, -1, -2, 0x0A, 0]
        let name = try #require(bytes.withUnsafeBufferPointer { FilePath.Component(platformString: Array($0)) })
        let file = try OutputFile(at: folder.path.appending(name), isReplacing: false)
        try file.commit(metadataOf: nil, isSynced: false)
        #expect(folder.names == [name])
    }

    @Test(arguments: ["", "/", "..", ".", "a/.."])
    func `what is no file's name is refused`(path: String) {
        #expect(throws: Failure.file(action: "create", path: FilePath(path), .isDirectory)) {
            _ = try OutputFile(at: FilePath(path), isReplacing: true)
        }
    }

    @Test func `a name that means a folder is refused by what is there`() throws {
        let folder = try Folder()
        try folder.write("text", to: "file")
        let (file, none) = (folder.path.appending("file/."), folder.path.appending("none/."))
        #expect(throws: Failure.file(action: "create", path: file, .notDirectory)) {
            _ = try OutputFile(at: file, isReplacing: true)
        }
        #expect(throws: Failure.missingDirectory(of: none)) { _ = try OutputFile(at: none, isReplacing: true) }
        #expect("\(Failure.missingDirectory(of: "none/."))" == "can't create none/: the directory none does not exist")
    }

    @Test func `a folder that is not there is an error`() {
        let path: FilePath = "/tmp/sluice.none/out"
        #expect(throws: Failure.missingDirectory(of: path)) {
            _ = try OutputFile(at: path, isReplacing: true)
        }
        #expect("\(Failure.missingDirectory(of: path))".hasSuffix("the directory /tmp/sluice.none does not exist"))
    }

    @Test func `a folder that is there and takes no file is another error`() {
        let path: FilePath = "/proc/sluice.none"
        #expect(throws: Failure.file(action: "create", path: path, .noSuchFileOrDirectory)) {
            _ = try OutputFile(at: path, isReplacing: true)
        }
    }

    @Test(arguments: [true, false])
    func `a directory is not replaced`(isNamed: Bool) throws {
        let folder = try Folder()
        let path = folder.path.appending("out")
        _ = path.withPlatformString { mkdir($0, 0o700) }
        defer { _ = path.withPlatformString { rmdir($0) } }
        let file = try OutputFile(at: path, isReplacing: true, isNamed: isNamed)
        #expect(failure(committing: file) == .file(action: "create", path: path, .isDirectory))
        #expect(folder.names == ["out"])
    }
}
