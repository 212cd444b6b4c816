import Dispatch
import Glibc
import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams

struct PrivateFileTests {
    /// As of a process that was killed, and which the kernel is still taking down.
    @Test func `an output is resumed when another process's lock goes within a second`() throws {
        let folder = try OutputFileTests.Folder()
        let target = folder.path.appending("out")
        try folder.write("file 0\n", to: ".out.part.note")
        let note = try FileDescriptor(opening: folder.path.appending(".out.part.note"), O_RDWR)
        #expect(try note.lock())
        #expect(throws: Failure.isBeingMade(target)) { _ = try OutputFile(resuming: target, isReplacing: false) }
        let ended = DispatchGroup()
        try startThread(in: ended) {
            usleep(300_000)
            try? note.close()
        }
        _ = try OutputFile(resuming: target, isReplacing: false)
        ended.wait()
    }

    @Test func `what is to be gone on with stays under its name, and one has it at a time`() throws {
        let folder = try OutputFileTests.Folder()
        let path = folder.path.appending("out")
        do {
            let file = try OutputFile(resuming: path, isReplacing: false)
            try file.descriptor.writeAll("ne".utf8)
            try file.note?.write("so", of: FileIdentity(file.descriptor))
            #expect(throws: Failure.isBeingMade(path)) {
                _ = try OutputFile(resuming: path, isReplacing: false)
            }
        }
        #expect(folder.names == [".out.part", ".out.part.note"])
        let file = try OutputFile(resuming: path, isReplacing: false)
        #expect(try file.note?.recipe(of: FileIdentity(file.descriptor)) == "so")
        try file.descriptor.writeAll("new".utf8)
        try file.commit(metadataOf: nil, isSynced: true)
        #expect(folder.names == ["out"])
        #expect(folder.read("out") == "new")
    }

    @Test(arguments: [false, true])
    func `nothing is left of an output to which nothing was written`(hasRecipe: Bool) throws {
        let folder = try OutputFileTests.Folder()
        do {
            let file = try OutputFile(resuming: folder.path.appending("out"), isReplacing: false)
            if hasRecipe { try file.note?.write("so", of: FileIdentity(file.descriptor)) }
            #expect(folder.names.count == 2)
        }
        #expect(folder.names == [])
    }

    @Test func `what has taken the name of an empty output stays`() throws {
        let folder = try OutputFileTests.Folder()
        do {
            let file = try OutputFile(resuming: folder.path.appending("out"), isReplacing: false)
            try folder.write("other", to: "other")
            #expect(rename(folder.path.appending("other").string, folder.path.appending(".out.part").string) == 0)
            _ = file.descriptor
        }
        #expect(folder.read(".out.part") == "other")
    }

    @Test func `what is kept beside outputs is kept apart, whatever bytes their names have`() throws {
        let folder = try OutputFileTests.Folder()
        let names = try [0xFF, 0xFE].map { try #require(FilePath.Component(bytes: [0x61, $0 as UInt8])) }
        let first = try OutputFile(resuming: folder.path.appending(names[0]), isReplacing: false)
        let second = try OutputFile(resuming: folder.path.appending(names[1]), isReplacing: false)
        #expect(folder.names.count == 4)
        try first.commit(isSynced: false)
        try second.commit(isSynced: false)
        #expect(Set(folder.names) == Set(names))
    }

    @Test func `where something else has the name of what would be gone on with, nothing is left beside it`() throws {
        let folder = try OutputFileTests.Folder()
        _ = folder.path.appending(".out.part").withPlatformString { mkfifo($0, 0o600) }
        #expect(throws: Failure.self) {
            _ = try OutputFile(resuming: folder.path.appending("out"), isReplacing: false)
        }
        #expect(folder.names == [".out.part"])
    }

    @Test func `an empty file that is there is replaced, and who has it open reads nothing`() throws {
        let folder = try OutputFileTests.Folder()
        for name in [".out.part", ".out.part.note"] { try folder.write("", to: name) }
        let held = try FileDescriptor.open(folder.path.appending(".out.part"), .readOnly)
        let note = try FileDescriptor.open(folder.path.appending(".out.part.note"), .readWrite)
        defer {
            try? held.close()
            try? note.close()
        }
        let file = try OutputFile(resuming: folder.path.appending("out"), isReplacing: false)
        try file.descriptor.writeAll("new".utf8)
        try file.note?.write("so", of: FileIdentity(file.descriptor))
        #expect(try FileIdentity(held).size == 0)
        #expect(try FileIdentity(note).size == 0)
        #expect(folder.read(".out.part") == "new")
    }

    @Test(arguments: [mode_t(0o700), 0o777])
    func `where others may put files, only that is gone on with which the note is on`(mode: mode_t) throws {
        let folder = try OutputFileTests.Folder()
        _ = folder.path.withPlatformString { chmod($0, mode) }
        let path = folder.path.appending("out")
        do {
            let file = try OutputFile(resuming: path, isReplacing: false)
            try file.descriptor.writeAll("ours".utf8)
            try file.note?.write("so", of: FileIdentity(file.descriptor))
        }
        try folder.write("other", to: "other")
        #expect(rename(folder.path.appending("other").string, folder.path.appending(".out.part").string) == 0)
        let file = try OutputFile(resuming: path, isReplacing: false)
        #expect(try file.note?.recipe(of: FileIdentity(file.descriptor)) == (mode == 0o700 ? "so" : nil))
        #expect(folder.read(".out.part") == "other")
    }

    /// The text without its first line, and without the mark of a process at its end.
    private static func recipe(in note: [UInt8]) -> [UInt8]? {
        guard note.starts(with: "file ".utf8), let end = note.firstIndex(of: 10) else { return nil }
        var lines = note[(end + 1)...].split(separator: 10, omittingEmptySubsequences: false)
        // The last one is empty if the text ends with a line.
        if lines.last?.isEmpty == true, lines.dropLast().last?.starts(with: "held ".utf8) == true {
            lines.removeLast(2)
            lines.append([])
        }
        return Array(lines.joined(separator: [10]))
    }

    @Test(arguments: 0..<20)
    func `a note may say anything`(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let folder = try OutputFileTests.Folder()
        let path = folder.path.appending("out")
        let pieces =
            ["file ", "file 7\n", "held ", "held x\n", "\n", "\r\n", "\u{0301}", "\u{0D4E}", "\u{0}", "so", "7", " "]
            .map { Array($0.utf8) } + [[0xFF], [0xC3], [UInt8](repeating: 97, count: 500)]
        for turn in 0..<20 {
            var note = Bool.random(using: &random) ? Array("file 7\n".utf8) : []
            for _ in 0..<Int.random(in: 0...6, using: &random) { note += pieces.randomElement(using: &random) ?? [] }
            // No note of ours is as large.
            if turn == 0 { note += [UInt8](repeating: 98, count: 70_000) }
            do {
                let file = try OutputFile(resuming: path, isReplacing: false)
                try file.descriptor.writeAll("ours".utf8)
                try file.note?.write("so", of: FileIdentity(file.descriptor))
            }
            let descriptor = try FileDescriptor.open(
                folder.path.appending(".out.part.note"), .writeOnly, options: .truncate)
            try descriptor.closeAfter { _ = try descriptor.writeAll(note) }
            do throws(Failure) {
                let file = try OutputFile(resuming: path, isReplacing: false)
                guard let identity = try? FileIdentity(file.descriptor) else { continue }
                let recipe = try file.note?.recipe(of: identity)
                // What is begun anew has an empty recipe.
                // Two bytes that are one character are none of our notes.
                if let recipe, identity.size > 0, turn > 0, !note.contains(13) {
                    #expect(Self.recipe(in: note).map { String(decoding: $0, as: UTF8.self) } == recipe)
                }
            } catch {
                #expect(error.code != .outOfMemory)
            }
            for name in folder.names { _ = folder.path.appending(name).withPlatformString { unlink($0) } }
        }
    }

    @Test(arguments: [true, false])
    func `what others may have opened is begun anew`(isWrittenOn: Bool) throws {
        let folder = try OutputFileTests.Folder()
        let path = folder.path.appending("out")
        if isWrittenOn {
            let file = try OutputFile(resuming: path, isReplacing: false)
            try file.descriptor.writeAll("ours".utf8)
        }
        try folder.write("old", to: ".out.part")
        _ = folder.path.appending(".out.part").withPlatformString { chmod($0, 0o644) }
        guard isWrittenOn else {
            let refusal = Failure.sharedLeftover(folder.path.appending(".out.part"))
            #expect(throws: refusal) { _ = try OutputFile(resuming: path, isReplacing: false) }
            return
        }
        let file = try OutputFile(resuming: path, isReplacing: false)
        #expect(try FileIdentity(file.descriptor).size == 0)
        #expect(try FileIdentity(file.descriptor).mode == 0o600)
    }
}
