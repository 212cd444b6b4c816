import StreamTestSupport
import Testing

@testable import ByteStreams

/// Which letters join the one before them into one character: marks, and since Unicode 15.1 also prepended ones such as
/// U+0D4E, which join the one after them.
let joiningScalars: [Unicode.Scalar] = (0x80...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter {
    String("a" + String(Character($0)) + "/").count < 3
}

@Suite(.timeLimit(.minutes(4)))
struct URLPartsTests {
    /// A word that is only in secrets.
    private static let secret = "HIDDEN"

    private static func shown(_ url: String) -> String {
        String(decoding: URLParts.shown(Array(url.utf8)), as: UTF8.self)
    }

    /// What people type: a password with anything in it, also what should have been encoded.
    @Test(arguments: 0..<20)
    func `no URL is shown with its password, query or fragment`(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        func text(_ pieces: [String], _ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
                .joined()
        }
        let joiners = (0..<5).compactMap { _ in joiningScalars.randomElement(using: &random).map { String($0) } }
        let marks = ["/", "?", "#", "@", ":", "%", "[", "]", "\\", "&", "=", " ", "80", "ä", "\u{202E}"] + joiners
        for _ in 0..<500 {
            let scheme = ["http", "HTTPS", "ftp", "s3a", "gs", "socks5h", "x"].randomElement(using: &random) ?? ""
            let host = ["example.org", "[::1]", "h", "a.b-c_d", "ä.org"].randomElement(using: &random) ?? ""
            let port = ["", ":", ":80", ":99999", ":x"].randomElement(using: &random) ?? ""
            let password = text(marks, 0...2) + Self.secret + text(marks + [Self.secret], 0...3)
            let path = text(["/", "/a", "/b.zst", ".", "%40"] + joiners, 0...3)
            let query = "?" + text(marks, 0...2) + Self.secret + text(marks + [Self.secret], 0...3)
            for (login, end) in [
                ("user:\(password)@", ""), ("user:\(password)@", query), ("", query), ("", "#" + password),
                ("user:\(password)@", "?a@b"), (":\(password)@", query), ("us\(joiners[0])er:\(password)@", "#x@y"),
            ] {
                let slash = path.isEmpty || path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
                let url = scheme + "://" + login + host + port + slash + end
                #expect(!Self.shown(url).contains(Self.secret), "\(url)")
                #expect(!url.withoutSecrets.contains(Self.secret), "\(url)")
                #expect(!"--option=\(url)".withoutSecrets.contains(Self.secret), "\(url)")
                if let parts = URLParts(Array(url.utf8)) {
                    let bytes = Array(url.utf8)
                    #expect(!bytes[parts.scheme].isEmpty && !bytes[parts.host].isEmpty)
                }
            }
        }
    }

    @Test(arguments: ["s3://u:HIDDEN@b/k?v", "s3://u:a/HIDDEN@b/k", "s3://u:a?HIDDEN@b/k", "s3://u:a#b/HIDDEN@b/k"])
    func `no URL of an object is shown with a password`(url: String) {
        let shown = String(decoding: URLParts.shown(Array(url.utf8), isObject: true), as: UTF8.self)
        #expect(!shown.contains(Self.secret) && !url.withoutSecrets.contains(Self.secret), "\(shown)")
    }

    @Test func `no letter hides a mark of a URL`() throws {
        #expect(
            joiningScalars.count > 1000 && joiningScalars.contains("\u{0D4E}") && joiningScalars.contains("\u{0301}"))
        for scalar in joiningScalars {
            let url = "http://a\(scalar):b\(scalar)@h\(scalar):80/c\(scalar)?d\(scalar)#e"
            let bytes = Array(url.utf8)
            let parts = try #require(URLParts(bytes))
            let ranges = [parts.credentials, parts.host, parts.port, parts.path, parts.query, parts.fragment]
            let texts = ranges.map { $0.map { String(decoding: bytes[$0], as: UTF8.self) } ?? "" }
            #expect(
                zip(texts, ["a\(scalar):b\(scalar)", "h\(scalar)", "80", "/c\(scalar)", "d\(scalar)", "e"])
                    .allSatisfy { $0.utf8.elementsEqual($1.utf8) })
        }
    }

    @Test(
        arguments: [
            ("http://user:p@h/a", "http://h/a"), ("https://h:8080/a@b/c", "https://...@b/c"),
            ("https://h/a@b?c", "https://h/a@b"), ("ftp://u:a?b@h/c", "ftp://..."),
            ("gs://bucket/k?x", "gs://bucket/k"),
            ("http://u:a/b@h/c?d", "http://...@h/c"), ("no URL: a?b@c", "no URL: a?b@c"),
            ("x=http://u:p@h", "x=http://h"),
            ("a/b", "a/b"), ("mailto:a@b", "mailto:a@b"),
        ])
    func `what is no secret is shown`(word: String, shown: String) {
        #expect(word.withoutSecrets == shown)
    }
}
