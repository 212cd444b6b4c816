import ByteStreams
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import RemoteSources

/// What services are asked for keys, and how often.
@Suite(.timeLimit(.minutes(4)))
struct KeyRequestTests {
    private static let key =
        #"{"Code": "Success", "AccessKeyId": "a", "SecretAccessKey": "hidden", "Token": "hidden", "#
        + #""Expiration": "2999-01-01T00:00:00Z"}"#

    private static func answer(_ body: String, status: String = "200 OK", _ lines: String = "") -> ScriptedServer.Answer
    {
        [(0, Array("HTTP/1.1 \(status)\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }

    private static func client(_ variables: [String: String]) throws -> RemoteClient {
        var options = RemoteOptions()
        options.store = try StoreSettings(variables)
        options.patience = 5
        return try RemoteClient(options: options)
    }

    /// The variables for each place that is asked by HTTP, at a port.
    private static func variables(_ place: String, _ port: UInt16, _ file: String) -> [String: String] {
        let url = "http://127.0.0.1:\(port)"
        return switch place {
        case "container":
            ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(url)/x", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "hidden"]
        case "machine": ["AWS_EC2_METADATA_SERVICE_ENDPOINT": url]
        default: ["AWS_WEB_IDENTITY_TOKEN_FILE": file, "AWS_ROLE_ARN": "r", "AWS_ENDPOINT_URL_STS": url]
        }
    }

    @Test(arguments: ["container", "machine", "identity"], ["301 Moved", "302 Found", "307 Temporary Redirect"])
    func `a redirection of those that give keys is not followed`(_ place: String, _ status: String) async throws {
        let scratch = try Scratch()
        let file = try scratch.write(Array("hidden".utf8), to: "token").string
        let other = try ScriptedServer { _, _ in Self.answer(Self.key) }
        defer { other.close() }
        let target = "Location: http://127.0.0.1:\(other.port)/x\r\n"
        let server = try ScriptedServer { _, _ in Self.answer("", status: status, target) }
        defer { server.close() }
        let found = try await within {
            let client = try Self.client(Self.variables(place, server.port, file))
            do throws(Failure) { return try client.key() == nil ? "none" : "a key" } catch { return error.message }
        }
        // A machine that does not give a token is none that gives keys.
        #expect(place == "machine" ? found == "none" : found.contains("gives no key (status 30"), "\(found)")
        // On a busy machine it is asked once more: it has two seconds.
        #expect((1...2).contains(server.requests.count))
        #expect(other.requests.isEmpty)
    }

    /// As those of a program that opens a thousand files.
    @Test(arguments: ["container", "machine"])
    func `a thousand clients of one place ask it once`(_ place: String) async throws {
        let wanted = (found: 1000, requests: place == "machine" ? 3 : 1)
        var seen = try await Self.askAThousandTimes(place)
        // A place has a second or two for its answer, which may be too little on a busy machine.
        for _ in 0..<3 where seen != wanted { seen = try await Self.askAThousandTimes(place) }
        #expect(seen == wanted)
    }

    /// How many of a thousand clients found a key, and how many requests there were.
    private static func askAThousandTimes(_ place: String) async throws -> (found: Int, requests: Int) {
        let server = try ScriptedServer { request, _ in
            let line = String(decoding: request.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            if line.contains("/latest/api/token") { return answer("hidden") }
            return answer(line.contains("security-credentials/ ") ? "role" : key)
        }
        defer { server.close() }
        let found = try await within {
            let count = Atomic(0)
            runLanes(8) { _ in
                for _ in 0..<125 {
                    let client = try? Self.client(variables(place, server.port, ""))
                    if (try? client?.key())??.identifier == "a" { count.add(1, ordering: .relaxed) }
                }
            }
            return count.load(ordering: .relaxed)
        }
        return (found, server.requests.count)
    }

    @Test func `a closure is called for each client, which may be another program's`() async throws {
        let calls = Mutex(0)
        for number in 0..<3 {
            var options = RemoteOptions()
            options.accessKey = {
                calls.withLock { $0 += 1 }
                return AccessKey(identifier: "\(number)", secret: "x")
            }
            options.store = try StoreSettings(isGiven: true, [:])
            let client = try RemoteClient(options: options)
            for _ in 0..<2 { #expect(try client.key()?.identifier == "\(number)") }
        }
        #expect(calls.withLock { $0 } == 3)
    }
}
