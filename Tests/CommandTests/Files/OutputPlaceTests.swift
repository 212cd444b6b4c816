import Dispatch
import Glibc
import SluiceEngine
import StreamTestSupport
import SystemPackage
import Testing

@testable import SluiceCommand

/// Where outputs go, whatever becomes of the names of directories.
@Suite(.timeLimit(.minutes(2))) struct OutputPlaceTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `an output that vanished leaves no file behind, and another's file stays`() throws {
        let fifo = folder.path.appending("out")
        try #require(mkfifo(fifo.string, 0o600) == 0)
        let existing = try FileIdentity(at: fifo)
        try #require(unlink(fifo.string) == 0)
        #expect(throws: Complaint.self) { try Output.openInPlace(OutputPlace(fifo), existing, waits: true) }
        #expect(folder.names == [])
        try folder.write("another's", to: "out")
        let gone = try FileIdentity(at: folder.path)
        OutputPlace(fifo).remove { $0.isUnwritten(since: gone) }
        #expect(folder.content("out") == Array("another's".utf8))
    }

    /// Runs a body again and again while a directory and a link take turns at a name. In a process of its own.
    private static func race(
        at name: FilePath, with link: FilePath, turns: Int, _ body: (Int) throws -> Void
    ) throws {
        let isOver = Locked(false)
        let ended = DispatchGroup()
        let was = FilePath(name.string + ".was")
        try startThread(in: ended) {
            while !isOver.withLock({ $0 }) {
                rename(name.string, was.string)
                rename(link.string, name.string)
                usleep(200)
                rename(name.string, link.string)
                rename(was.string, name.string)
                usleep(200)
            }
        }
        defer { ended.wait() }
        defer { isOver.withLock { $0 = true } }
        for turn in 1...turns { try body(turn) }
    }

    /// The ways of small files and of those that are done alone.
    @Test(arguments: ["-q", "-v --rm", "-q -f", "-qd --rm"])
    func `whoever swaps a source's directory for a link leads no output elsewhere`(words: String) async {
        await #expect(processExitsWith: .success) { [words] in
            let folder = try Folder()
            let (tree, elsewhere) = (try Folder(in: folder, "tree"), try Folder(in: folder, "elsewhere"))
            let inner = try Folder(in: tree, "inner")
            let link = tree.path.appending("link")
            try #require(symlink(elsewhere.path.string, link.string) == 0)
            let stream = try Compression(level: 1).compress(Array("content".utf8).span.bytes)
            let suffix = words.contains("d") ? ".zst" : ""
            // Names of their own, for a directory that is not where its name says.
            let open = try FileDescriptor.open(inner.path, .readOnly)
            var made = 0
            try Self.race(at: inner.path, with: link, turns: isLong ? 40 : 6) { turn in
                let source = openat(open.rawValue, "file\(turn)\(suffix)", O_WRONLY | O_CREAT, 0o600)
                _ = try FileDescriptor(rawValue: source).writeAll(suffix.isEmpty ? Array("content".utf8) : stream)
                close(source)
                _ = try Call(words + " --no-sync -r tree", in: folder)
                made += elsewhere.names.count
            }
            #expect(made == 0)
            #expect(inner.names.contains { $0.hasSuffix(".zst") == suffix.isEmpty })
            unlink(link.string)
        }
    }

    @Test func `whoever swaps a directory of a mirror for a link leads no output elsewhere`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let (tree, elsewhere) = (try Folder(in: folder, "tree"), try Folder(in: folder, "elsewhere"))
            let (out, inner) = (try Folder(in: folder, "out"), try Folder(in: tree, "inner"))
            let link = folder.path.appending("link")
            try #require(symlink(elsewhere.path.string, link.string) == 0)
            let mirror = try Folder(in: try Folder(in: out, "tree"), "inner")
            var made = 0
            try Self.race(at: mirror.path, with: link, turns: isLong ? 40 : 6) { turn in
                try inner.write("content", to: "file\(turn)")
                _ = try Call("-q --no-sync --rm -r tree --output-dir-mirror out", in: folder)
                made += elsewhere.names.count
            }
            #expect(made == 0)
            #expect(mirror.names.count > 0)
            unlink(link.string)
        }
    }

    @Test func `one closure ends the requests to all servers`() throws {
        let latch = FailureLatch()
        var inputs = RemoteInputs()
        for number in 0..<100 { _ = try inputs.path(of: Array("http://host/\(number)".utf8)) }
        try inputs.prepare(Console(quietness: 2), ReportingSettings(), writing: nil)
        let before = latch.onFailure {}
        inputs.endRequests(with: latch)
        // The latch numbers what it will call.
        #expect(latch.onFailure {} == before + 2)
    }

    @Test func `sources on servers are told from each other, and from files of their spelling`() throws {
        var inputs = RemoteInputs()
        let words = [
            "http://h/a", "http://h/b", "http:/h/a", "https:", "s3:/b/k", "http:x", "./http:/h/a", "http://h/a",
        ]
        let paths = try words.map { try inputs.path(of: Array($0.utf8)) }
        #expect(paths.map { inputs[$0] != nil } == [true, true, false, false, false, false, false, true])
        #expect(paths[2].printable == "./http:/h/a" && paths[3].printable == "./https:")
        #expect(paths[5] == "http:x" && paths[6] == paths[2] && paths[7] == paths[0])
        #expect(Set(paths.compactMap { inputs.identity(of: $0)?.number }).count == 2)
    }

    @Test(arguments: 1...50)
    func `whatever words there are, a URL is one source with one identity, and any other word a file`(seed: UInt64) {
        var (random, inputs) = (SeededNumbers(seed: seed), RemoteInputs())
        func one(of words: [String]) -> String { words.randomElement(using: &random) ?? "" }
        var (urls, files) = ([FilePath: (url: String, number: FileIdentity.Number?)](), Set<FilePath>())
        for _ in 1...60 {
            let rest = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                one(of: ["a", "b", "/", "/a", ".", "..", "%2F", "A", ":", "~"])
            }
            let start =
                one(of: ["http", "https", "s3", "HTTP", "./http", "x"]) + one(of: [":", "://h/", "://g/", ":/h/"])
            let word = Array((start + rest.joined()).utf8)
            // What is no URL that can be read, and what only differs in what FilePath drops, is refused.
            guard let path = try? inputs.path(of: word) else { continue }
            guard let location = inputs[path], URLParts.isMeant(by: word) else {
                #expect(urls[path] == nil && !URLParts.isMeant(by: word), "seed \(seed): \(path)")
                #expect(path.lexicallyNormalized() == FilePath(word: word).lexicallyNormalized())
                files.insert(path)
                continue
            }
            let number = inputs.identity(of: path)?.number
            #expect(number != nil && !files.contains(path), "seed \(seed): \(path)")
            let known = urls.updateValue((location.url, number), forKey: path)
            #expect(known == nil || known?.url == location.url && known?.number == number, "seed \(seed): \(path)")
        }
        #expect(Set(urls.values.compactMap(\.number)).count == urls.count)
    }
}
