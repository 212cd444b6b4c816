import ByteStreams
import Glibc
import StreamTestSupport
import Testing

@testable import RemoteSources

/// Our split of a URL beside libcurl's, which makes the requests.
@Suite(.timeLimit(.minutes(4)))
struct URLOfLibcurlTests {
    /// `scripts/campaign urls` asks for more of them, from another seed on.
    private static let count = getenv("SLUICE_RUNS").flatMap { Int(String(cString: $0)) } ?? 10_000
    private static let seed = getenv("SLUICE_SEED").flatMap { UInt64(String(cString: $0)) } ?? 5

    /// Parts of `CURLUPart` (<curl/urlapi.h>).
    private enum Part: Int32 {
        case url, scheme, user, password, options, host, port, path, query, fragment
    }

    /// libcurl's functions, looked up as the program does.
    private struct Library {
        typealias Make = @convention(c) () -> OpaquePointer?
        typealias Free = @convention(c) (OpaquePointer?) -> Void
        typealias Set = @convention(c) (OpaquePointer?, Int32, UnsafePointer<CChar>, UInt32) -> Int32
        typealias Get =
            @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, UInt32)
            -> Int32
        typealias FreeText = @convention(c) (UnsafeMutablePointer<CChar>?) -> Void

        let make: Make, free: Free, set: Set, get: Get, freeText: FreeText

        init?() {
            guard let library = dlopen("libcurl.so.4", RTLD_NOW) else { return nil }
            func find<Function>(_ name: String, as _: Function.Type) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
            }
            guard let make = find("curl_url", as: Make.self), let free = find("curl_url_cleanup", as: Free.self),
                let set = find("curl_url_set", as: Set.self), let get = find("curl_url_get", as: Get.self),
                let freeText = find("curl_free", as: FreeText.self)
            else { return nil }
            (self.make, self.free, self.set, self.get, self.freeText) = (make, free, set, get, freeText)
        }

        /// The parts of a URL; nil if libcurl refuses it.
        func parts(of url: [UInt8]) -> [Part: [UInt8]]? {
            let handle = make()
            defer { free(handle) }
            // CURLU_PATH_AS_IS | CURLU_NON_SUPPORT_SCHEME
            let text = url.map { CChar(bitPattern: $0) } + [0]
            guard set(handle, Part.url.rawValue, text, 1 << 4 | 1 << 3) == 0 else { return nil }
            var parts: [Part: [UInt8]] = [:]
            for number in Part.scheme.rawValue...Part.fragment.rawValue {
                var text: UnsafeMutablePointer<CChar>?
                if get(handle, number, &text, 0) == 0, let text, let part = Part(rawValue: number) {
                    parts[part] = Array(UnsafeBufferPointer(start: text, count: strlen(text))).map(
                        UInt8.init(bitPattern:))
                }
                freeText(text)
            }
            return parts
        }
    }

    private static func url(_ random: inout SeededNumbers) -> [UInt8] {
        func text(_ pieces: [String], _ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
                .joined()
        }
        let marks = [
            "/", "?", "#", "@", ":", "%41", "a", "b", "ä", "\u{0D4E}", "e\u{0301}", ".", "..", "&", "=", "[", "]",
        ]
        let scheme = ["http", "https", "HTTP", "ftp"].randomElement(using: &random) ?? ""
        let login = Bool.random(using: &random) ? "" : text(marks, 0...3) + ":" + text(marks, 0...4) + "@"
        let host =
            ["example.org", "[::1]", "h", "a.b-c_d", "127.0.0.1", "EX", "h\u{0D4E}", "a@b", "", "a:b", "[", "a%40"]
            .randomElement(using: &random) ?? ""
        let port = ["", "", ":", ":80", ":0081", ":65535", ":65536", ":x"].randomElement(using: &random) ?? ""
        let path = ["", "/", "/" + text(marks, 0...5)].randomElement(using: &random) ?? ""
        let end = ["", "?" + text(marks, 0...4), "#" + text(marks, 0...4)].randomElement(using: &random) ?? ""
        return Array((scheme + "://" + login + host + port + path + end).utf8)
    }

    @Test func `each part of ten thousand URLs is libcurl's`() throws {
        let library = try #require(Library())
        var (random, both) = (SeededNumbers(seed: Self.seed), 0)
        for _ in 0..<Self.count {
            let url = Self.url(&random)
            let name = String(decoding: url, as: UTF8.self)
            guard let ours = URLParts(url) else { continue }
            // What libcurl refuses is never asked for.
            guard let theirs = library.parts(of: url) else { continue }
            both += 1
            func part(_ range: Range<Int>?) -> [UInt8] { range.map { Array(url[$0]) } ?? [] }
            #expect(
                String(decoding: part(ours.scheme), as: UTF8.self).lowercased().utf8.elementsEqual(
                    theirs[.scheme] ?? []))
            let login = (theirs[.user] ?? []) + (theirs[.password].map { Array(":".utf8) + $0 } ?? [])
            let ownLogin = part(ours.credentials)
            // libcurl has no password where none follows the colon.
            #expect(ownLogin == login || ownLogin == login + Array(":".utf8), "\(name)")
            #expect(part(ours.host) == theirs[.host] ?? [], "\(name)")
            let port = Int(String(decoding: part(ours.port), as: UTF8.self))
            #expect(port == theirs[.port].flatMap { Int(String(decoding: $0, as: UTF8.self)) }, "\(name)")
            // An empty path is the root's.
            let path = part(ours.path)
            #expect((path.isEmpty ? Array("/".utf8) : path) == theirs[.path] ?? [], "\(name)")
            #expect(part(ours.query) == theirs[.query] ?? [], "\(name)")
            #expect(part(ours.fragment) == theirs[.fragment] ?? [], "\(name)")
        }
        #expect(both > Self.count / 5)
    }
}
