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

    /// A server that answers one request at a time, and another one with a refusal.
    private static func refusing(_ refusal: String, times: Times) throws -> ScriptedServer {
        try ScriptedServer { request, number in
            times.all.withLock { $0[number] = .now }
            if number == 2 { return [(0, Array(refusal.utf8))] }
            return [(number == 1 ? 0.3 : 0, ScriptedServer.range(of: Self.content, request, lines: [Self.tag]))]
        }
    }

    /// Reads two places at the same time.
    private static func readTwo(_ opened: Opened) -> [Result<[UInt8], any Error>] {
        let results = Mutex<[Result<[UInt8], any Error>]>([])
        runLanes(2) { number in
            let result = Result { try opened.read(from: number * 100_000, 20_000) }
            results.withLock { $0.append(result) }
        }
        return results.withLock { $0 }
    }

    @Test(arguments: ["429 Too Many Requests", "503 Service Unavailable"])
    func `after a refusal of one of several requests the next one waits as long as the server says`(
        status: String
    ) async throws {
        let times = Times()
        let refusal = "HTTP/1.1 \(status)\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
        let server = try Self.refusing(refusal, times: times)
        defer { server.close() }
        let (results, notices) = try await within {
            let opened = try Opened(server)
            return (Self.readTwo(opened), opened.notices.all)
        }
        for result in results { _ = try result.get() }
        let (refused, next) = times.all.withLock { ($0[2], $0[3]) }
        #expect(try #require(next) - #require(refused) > .seconds(1))
        #expect(notices.count == 1 && notices.allSatisfy { $0.contains("with at most 1 request at a time") })
    }

    @Test(arguments: [true, false]) func `a refusal is not about their number if the server gives another reason`(
        hasReason: Bool
    ) async throws {
        let times = Times()
        let body = hasReason ? "<Error><Code>ExpiredToken</Code></Error>" : "oops"
        let refusal = "HTTP/1.1 403 x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let server = try Self.refusing(refusal, times: times)
        defer { server.close() }
        let (results, notices) = try await within {
            let opened = try Opened(server)
            return (Self.readTwo(opened), opened.notices.all)
        }
        let failures = results.compactMap { result in
            if case .failure(let failure as Failure) = result { failure.message } else { nil }
        }
        #expect(failures == (hasReason ? ["the server refuses access (status 403, ExpiredToken)"] : []))
        #expect(notices.count == (hasReason ? 0 : 1))
        #expect(server.requests.count == (hasReason ? 3 : 4))
    }

    /// When requests came.
    private final class Times: Sendable {
        let all = Mutex<[Int: ContinuousClock.Instant]>([:])
    }

    private final class Count: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    /// What a body that is read in order waits for.
    enum Waiting: CaseIterable {
        case answer, bytes, room, pause

        var answer: ScriptedServer.Answer {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"
            return switch self {
            case .answer: [(20, Array(head.utf8))]
            case .bytes: [(0, Array((head + "x").utf8)), (20, [0])]
            case .room: [(0, Array(head.utf8) + [UInt8](repeating: 0, count: 40 << 20))]
            case .pause: [(0, Array("HTTP/1.1 503 x\r\nRetry-After: 100\r\nContent-Length: 0\r\n\r\n".utf8))]
            }
        }
    }

    @Test(arguments: Waiting.allCases)
    func `a body ends its threads when its reader has gone, whatever they wait for`(waiting: Waiting) async throws {
        let server = try ScriptedServer { _, _ in waiting.answer }
        defer { server.close() }
        let isGone = try await within {
            let location = try #require(RemoteLocation("http://127.0.0.1:\(server.port)/a.zst"))
            var body: RemoteBody? = RemoteBody(
                try RemoteClient().forOneFile(), Locked(RemoteAddress(location)), size: nil)
            weak let seen = body
            if let reader = body {
                try startThread {
                    while let bytes = try? reader.read(1, until: nil), !bytes.isEmpty, waiting != .room {}
                }
            }
            guard eventually(10, { !server.requests.isEmpty }) else { return false }
            usleep(300_000)
            body?.finish()
            body = nil
            return eventually(5) { seen == nil }
        }
        #expect(isGone)
    }

    @Test func `a program gives the key, and another one after the store has called it expired`() async throws {
        let server = try ScriptedServer { request, _ in
            if String(decoding: request, as: UTF8.self).contains("Credential=given-1/") {
                let body = "<Error><Code>ExpiredToken</Code></Error>"
                return [(0, Array("HTTP/1.1 400 x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
            }
            return [(0, ScriptedServer.range(of: Self.content, request, lines: [Self.tag]))]
        }
        defer { server.close() }
        let given = Count()
        var options = RemoteOptions()
        options.store = try StoreSettings(isGiven: true, ["AWS_ENDPOINT_URL": "http://127.0.0.1:\(server.port)"])
        options.accessKey = {
            AccessKey(identifier: "given-\(given.next())", secret: "hidden", token: "hidden")
        }
        let size = try await within { [options] in
            let location = try #require(RemoteLocation("s3://bucket/a.zst"))
            return try RemoteFile.open(location, client: RemoteClient(options: options)).size
        }
        #expect(size == Self.content.count)
        #expect(given.next() == 3)
        let last = String(decoding: try #require(server.requests.last), as: UTF8.self)
        #expect(last.contains("Credential=given-2/") && last.lowercased().contains("x-amz-security-token: hidden"))
        #expect(server.requests.count == 2)
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
