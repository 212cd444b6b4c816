import Glibc
import SluiceEngine
import SystemPackage
import Testing

@testable import SluiceCommand

/// What may be read, and what an input is when it is open.
@Suite(.timeLimit(.minutes(4))) struct InputTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Why an operand is refused; nil if it is read.
    private func refusal(of operand: Operand, _ words: [String]) throws -> Complaint? {
        let settings = try Settings(words)
        do throws(Complaint) {
            _ = try Input(operand, settings)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file is read under its name, and may be removed`() throws {
        let path = try folder.write("content", to: "a")
        let input = try Input(Operand(path), Settings([]))
        let (name, file) = (input.name, input.file)
        #expect(name == path)
        try file.remove(RemovedNames())
        #expect(folder.names == [])
    }

    @Test func `what is no file is refused, and read with -f`() throws {
        #expect(try refusal(of: Operand("/dev/null"), [])?.sentence.contains("is a device") == true)
        #expect(try refusal(of: Operand("/dev/null"), ["-f", "-c"]) == nil)
        let directory = try #require(try refusal(of: Operand(folder.path), []))
        #expect(directory.sentence.hasSuffix("is a directory"))
        #expect(directory.hint?.contains("tar -I sluice -cf") == true)
        let quoted = try Folder(in: folder, "it's big")
        let odd = try #require(try refusal(of: Operand(quoted.path), []))
        #expect(odd.hint?.contains(#"tar -I sluice -cf 'it'\''s big.tar.zst' '"#) == true)
        // A tar is no sample.
        #expect(try refusal(of: Operand(folder.path), ["--train"])?.hint == "-r processes the files in it")
        // A directory holds nothing to decompress.
        #expect(try refusal(of: Operand(folder.path), ["-d"])?.hint == "-r processes the files in it")
    }

    @Test(arguments: [
        ([], true), (["-t"], true), (["-c"], false), (["-f"], false), (["-d", "-c"], false), (["-d"], true),
    ]) func `a link is skipped as zstd skips it, and followed with -f or to standard output`(
        _ words: [String], isSkipped: Bool
    ) throws {
        let link = folder.path.appending("link.zst")
        try #require(symlink(try folder.write("content", to: "a").string, link.string) == 0)
        let refusal = try refusal(of: Operand(link), words)
        #expect((refusal != nil) == isSkipped)
        #expect(refusal?.fate ?? .skipped == .skipped)
        // A link that was found while walking was not named.
        let found = Operand("link.zst", in: try SluiceCommand.Folder(Operand(folder.path), isLink: false))
        #expect((try self.refusal(of: found, words)?.fate == .skipped) == !words.contains("-f"))
    }

    @Test func `a link to nothing, a missing file and a path through a file name their reason`() throws {
        let link = folder.path.appending("link")
        try #require(symlink("nowhere", link.string) == 0)
        for path in [link, folder.path.appending("missing")] {
            #expect(try refusal(of: Operand(path), ["-c"])?.sentence.contains("no such file") == true)
        }
        let file = try folder.write("a", to: "a")
        #expect(try refusal(of: Operand(file.appending("b")), [])?.sentence.contains("not a directory") == true)
    }

    @Test func `a fifo's name is checked before anything waits for its writer`() throws {
        let fifo = folder.path.appending("fifo")
        try #require(mkfifo(fifo.string, 0o600) == 0)
        #expect(try refusal(of: Operand(fifo), ["-d"])?.sentence.contains("suffix") == true)
        // One that took the place of a file that was found is not waited for.
        let found = Operand("fifo", in: try SluiceCommand.Folder(Operand(folder.path), isLink: false))
        #expect(try refusal(of: found, [])?.sentence.contains("was replaced") == true)
    }

    @Test func `the dictionary of a run is not compressed with itself`() throws {
        let path = try folder.write([UInt8](repeating: 7, count: 1000), to: "dictionary")
        var settings = try Settings(["-D", path.string])
        settings.references = try ReferenceFile(for: settings)
        let error = #expect(throws: Complaint.self) { _ = try Input(Operand(path), settings) }
        #expect(error?.sentence.contains("is also the dictionary") == true)
    }
}
