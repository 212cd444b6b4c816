import ByteStreams
import Glibc
import StreamTestSupport
import Synchronization
import Testing

@testable import RemoteSources

@Suite(.timeLimit(.minutes(4)))
struct RemoteFileTests {
    private static let content = sample(300_000)
    private static let tag = Array("ETag: \"1\"".utf8)

    private final class Sentences: Sendable {
        private let state = Mutex<[String]>([])
        var all: [String] { state.withLock { $0 } }
        func add(_ sentence: String) { state.withLock { $0.append(sentence) } }
    }

    private struct Opened: Sendable {
        let file: RemoteFile
        let notices = Sentences()
        let warnings = Sentences()

        init(_ server: ScriptedServer, patience: Int = 10) throws {
            var options = RemoteOptions()
            options.patience = patience
            let (notices, warnings) = (notices, warnings)
            options.onNotice = { notices.add($0) }
            options.onWarning = { warnings.add($0) }
            let url = "http://user:hidden@127.0.0.1:\(server.port)/a.zst?hidden"
            let location = try #require(RemoteLocation(url))
            file = try RemoteFile.open(location, client: RemoteClient(options: options))
        }

        func read(from offset: Int, _ count: Int) throws -> [UInt8] {
            try [UInt8](capacity: count) { span throws in
                try span.withUnsafeMutableBufferPointer { memory, used throws in
                    var raw = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(memory), initializedCount: 0)
                    try file.read(from: offset, into: &raw)
                    used = raw.finalize(for: UnsafeMutableRawBufferPointer(memory))
                }
            }
        }
    }

    /// A connection that was idle for longer than the patience is used again.
    @Test func `a server is silent only from a request on`() async throws {
        let server = try ScriptedServer { request, number in
            [(number > 0 ? 0.3 : 0, ScriptedServer.range(of: Self.content, request, lines: [Self.tag]))]
        }
        defer { server.close() }
        let (bytes, notices) = try await within {
            let opened = try Opened(server, patience: 1)
            usleep(1_500_000)
            return (try opened.read(from: 0, 20_000), opened.notices.all)
        }
        #expect(bytes == Array(Self.content[..<20_000]))
        #expect(notices.isEmpty)
    }

    @Test(arguments: [[0xFF, 0xFE, 0x80], Array("ä\u{0301}\u{0D4E}".utf8), [0xC3]])
    func `a tag comes back as the bytes that it was`(tag: [UInt8]) async throws {
        let quoted = [UInt8(ascii: "\"")] + tag + [UInt8(ascii: "\"")]
        let server = try ScriptedServer { request, _ in
            [(0, ScriptedServer.range(of: Self.content, request, lines: [Array("ETag: ".utf8) + quoted]))]
        }
        defer { server.close() }
        let bytes = try await within { try Opened(server).read(from: 100, 1000) }
        #expect(bytes == Array(Self.content[100..<1100]))
        let request = try #require(server.requests.last)
        let line = Array("If-Match: ".utf8) + quoted + Array("\r\n".utf8)
        #expect(request.indices.contains { request[$0...].starts(with: line) })
    }

    @Test(arguments: [[], ["Last-Modified: Wed, 21 Oct 2026 07:28:00 GMT"], ["ETag: \"1\""]])
    func `a server by whose answers a file can be replaced unseen is warned of, once`(lines: [String]) async throws {
        let server = try ScriptedServer { request, _ in
            [(0, ScriptedServer.range(of: Self.content, request, lines: lines.map { Array($0.utf8) }))]
        }
        defer { server.close() }
        let warnings = try await within {
            let opened = try Opened(server)
            _ = try opened.read(from: 0, 100)
            _ = try opened.read(from: 100_000, 100)
            return opened.warnings.all
        }
        #expect(warnings.count == (lines.isEmpty ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("neither ETag nor Last-Modified") && !$0.contains("hidden") })
    }

    @Test func `places that the file has not are refused`() async throws {
        let server = try ScriptedServer { request, _ in
            [(0, ScriptedServer.range(of: Self.content, request, lines: [Self.tag]))]
        }
        defer { server.close() }
        try await within {
            let opened = try Opened(server)
            for (offset, count) in [(-1, 1), (.min, 1), (.max, 1), (299_999, 2), (300_001, 0), (-5, 10)] {
                let failure = #expect(throws: Failure.self) { try opened.read(from: offset, count) }
                #expect(failure?.code == .reading)
            }
            opened.file.prepare([-5..<3, .min..<(-1), 299_999..<400_000, 0..<0, 7..<8, .max - 1..<Int.max])
            #expect(try opened.read(from: 299_999, 1) == [Self.content[299_999]])
            #expect(try opened.read(from: 0, 1) == [Self.content[0]])
        }
    }

    @Test(arguments: ["eu-west-1", "eu\u{0D4E}'; rm -rf ~ #", "$(id)", "", String(repeating: "a", count: 100)])
    func `people are told to copy only what can be the name of a region`(region: String) {
        var header = AnswerHeader()
        for line in ["HTTP/1.1 301 x", "x-amz-bucket-region: \(region)", ""] { header.add(Array("\(line)\r\n".utf8)) }
        let isName = region == "eu-west-1"
        #expect((header.bucketRegion == region) == isName)
        #expect("\(Failure.refusal(header))".contains("AWS_REGION") == isName)
    }

    @Test(arguments: [("gzip", "gzip"), ("identity", nil), ("x\u{1B}[2J", "something else"), ("a b", "something else")])
    func `a coding is told only in a word`(coding: String, word: String?) {
        var header = AnswerHeader()
        for line in ["HTTP/1.1 200 x", "content-encoding: \(coding)", ""] { header.add(Array("\(line)\r\n".utf8)) }
        #expect(header.coding?.word == word)
    }
}
