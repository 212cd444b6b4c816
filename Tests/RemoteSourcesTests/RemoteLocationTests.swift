import ByteStreams
import Testing

@testable import RemoteSources

@Suite struct RemoteLocationTests {
    @Test(
        arguments: [
            ("https://example.org/a/b.zst", "https://example.org/a/b.zst", "b.zst", 443),
            (
                "HTTP://user:secret@example.org:8080/b.zst?token=secret#x", "http://example.org:8080/b.zst", "b.zst",
                8080
            ),
            ("https://a@b:secret@[::1]:9/x//y.zst?/z", "https://[::1]:9/x//y.zst", "y.zst", 9),
            ("https://[::1]/x", "https://[::1]/x", "x", 443),
            ("s3://bucket/a key?", "s3://bucket/a key?", "a key?", 443), ("s3://a bucket/k", nil, nil, 0),
            ("s3://bucket/a/key?x", "s3://bucket/a/key?x", "key?x", 443), ("http://host", "http://host", nil, 80),
            ("http://host/a/", "http://host/a/", nil, 80), ("http://host/a/..", "http://host/a/..", nil, 80),
            ("http:/host/a", nil, nil, 0), ("ftp://host/a", nil, nil, 0), ("http://", nil, nil, 0),
            ("http://?x", nil, nil, 0), ("http://h/\u{7F}", nil, nil, 0), ("file.zst", nil, nil, 0),
        ] as [(String, String?, String?, Int)])
    func `a name and a file name have no secrets`(_ url: String, _ name: String?, _ file: String?, _ port: Int) {
        let location = RemoteLocation(url)
        #expect(location?.name == name)
        #expect(location?.fileName == file)
        if let location { #expect(Int(location.port) == port) }
    }

    @Test(
        arguments: [
            ("http://h/my%20back%20up.zst", "my back up.zst"), ("http://h/%C3%A4.zst", "ä.zst"),
            ("http://h/a%25b", "a%b"),
            ("http://h/a%2Fb", "a%2Fb"), ("http://h/%2e%2E", "%2e%2E"), ("http://h/a%0A", "a%0A"),
            ("http://h/%00", "%00"),
            ("http://h/%E2%80%AE", "%E2%80%AE"), ("http://h/%FF", "%FF"), ("http://h/a%2", "a%2"),
            ("http://h/%zz", "%zz"),
            ("http://h/a+b", "a+b"), ("s3://b/a%20b", "a%20b"), ("s3://b/d/my back up", "my back up"),
        ])
    func `an output has the decoded name, if that is one`(_ url: String, _ name: String) {
        #expect(RemoteLocation(url)?.fileName == name)
    }

    @Test func `a server is the same by scheme, host and port`() throws {
        let home = try #require(RemoteLocation("https://Example.org/a"))
        #expect(RemoteLocation("https://example.org/b?c").map(home.isOnSameServer) == true)
        // A redirection may name the usual port.
        #expect(RemoteLocation("https://example.org:443/b").map(home.isOnSameServer) == true)
        for other in ["http://example.org/a", "https://example.org:444/a", "https://example.org.evil.org/a"] {
            #expect(RemoteLocation(other).map(home.isOnSameServer) == false)
        }
    }

    @Test(
        arguments: [
            ("http://h/b?c", "http://user:word@h/b?c"), ("http://h:80/b", "http://user:word@h:80/b"),
            ("http://own@h/b", "http://own@h/b"), ("http://h:81/b", "http://h:81/b"), ("https://h/b", "https://h/b"),
            ("http://i/b@h", "http://i/b@h"),
        ])
    func `a server that redirects to itself gets the password again`(_ target: String, _ url: String) throws {
        let home = try #require(RemoteLocation("http://user:word@h/a"))
        #expect(RemoteLocation(target)?.url(asGivenTo: home) == url)
    }

    @Test(
        arguments: [
            ("s3://b/k", [:], "https://b.s3.us-east-1.amazonaws.com/k"),
            ("s3://b/k", ["AWS_REGION": "r"], "https://b.s3.r.amazonaws.com/k"),
            ("s3://b/k", ["AWS_DEFAULT_REGION": "r"], "https://b.s3.r.amazonaws.com/k"),
            ("s3://b.c/k", [:], "https://s3.us-east-1.amazonaws.com/b.c/k"),
            ("s3://b/k", ["AWS_ENDPOINT_URL": "http://h:9/x/"], "http://h:9/x/b/k"),
            ("s3://b/k", ["AWS_ENDPOINT_URL": "http://h", "AWS_ENDPOINT_URL_S3": "http://i"], "http://i/b/k"),
            ("s3://b/d/ä+?%#", [:], "https://b.s3.us-east-1.amazonaws.com/d/%C3%A4%2B%3F%25%23"),
            (
                "s3://b/my key", ["AWS_ENDPOINT_URL": "http://h:9", "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "true"],
                "http://b.h:9/my%20key"
            ),
            (
                "s3://b/k", ["AWS_ENDPOINT_URL": "http://u:p@h/x/", "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "TRUE"],
                "http://u:p@b.h/x/k"
            ),
            (
                "s3://b/k", ["AWS_ENDPOINT_URL": "http://h", "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "false"],
                "http://h/b/k"
            ),
        ] as [(String, [String: String], String)])
    func `an object has an address of HTTP`(_ url: String, _ variables: [String: String], _ address: String) throws {
        let store = try ObjectStore(try #require(RemoteLocation(url)), StoreSettings(variables))
        #expect(store.location.url == address)
    }

    @Test(
        arguments: [
            ("s3://b", [:]), ("s3://b/", [:]), ("s3://b/k", ["AWS_ENDPOINT_URL": "h"]), ("s3://b/../c/k", [:]),
            ("s3://../c", ["AWS_ENDPOINT_URL": "http://h"]),
        ]
            as [(String, [String: String])])
    func `what is no object is refused`(_ url: String, _ variables: [String: String]) throws {
        let location = try #require(RemoteLocation(url))
        #expect(throws: Failure.self) { try ObjectStore(location, StoreSettings(variables)) }
    }

    @Test(arguments: ["s3://localhost:9?x/k", "s3://name:secret/k"])
    func `no bucket has a colon`(url: String) { #expect(RemoteLocation(url) == nil) }

    @Test(
        arguments: [
            ("SecondLevelDomainForbidden", "http://b.h/k?versionId=a%2F%20b"),
            ("PathStyleDomainForbidden", "http://b.h/k?versionId=a%2F%20b"),
            ("VirtualHostDomainRequired", "http://b.h/k?versionId=a%2F%20b"), ("AccessDenied", nil),
        ] as [(String, String?)])
    func `a store that wants the bucket in its host gets it there`(_ code: String, _ address: String?) throws {
        let location = try #require(RemoteLocation("s3://b/k"))
        let store = try ObjectStore(location, version: "a/ b", StoreSettings(["AWS_ENDPOINT_URL": "http://h"]))
        var header = header("HTTP/1.1 403 x")
        header.addError(Array("<Error><Code>\(code)</Code></Error>".utf8))
        let corrected = store.corrected(by: header, isSigned: true)
        #expect(corrected?.location.url == address)
        // Once.
        #expect(corrected?.corrected(by: header, isSigned: true) == nil)
    }

    @Test(arguments: ["evil.example?", "evil.example#", "evil.example@x", "evil.example\\", "evil%2Eexample", "ü"])
    func `no store moves a signed request to a host that ends within the bucket`(_ bucket: String) throws {
        let location = try #require(RemoteLocation("s3://\(bucket)/k"))
        let values = ["AWS_ENDPOINT_URL": "http://h", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"]
        let store = try ObjectStore(location, StoreSettings(values))
        #expect(store.location.host == "h")
        var header = header("HTTP/1.1 403 x")
        header.addError(Array("<Error><Code>SecondLevelDomainForbidden</Code></Error>".utf8))
        // What stands before an @ is no part of the bucket.
        let isMoved = bucket.contains("@")
        #expect(store.corrected(by: header, isSigned: true)?.location.host == (isMoved ? "x.h" : nil))
    }

    @Test(arguments: [true, false]) func `a request is signed for the region that a bucket has`(hasKeys: Bool) throws {
        let location = try #require(RemoteLocation("s3://b/k"))
        let store = try ObjectStore(location, StoreSettings([:]))
        let header = header("HTTP/1.1 301 x", "x-amz-bucket-region: eu-west-9")
        let corrected = store.corrected(by: header, isSigned: hasKeys)
        #expect(corrected?.region == (hasKeys ? "eu-west-9" : nil))
        #expect(corrected?.location.url == (hasKeys ? "https://b.s3.eu-west-9.amazonaws.com/k" : nil))
        #expect(corrected?.corrected(by: header, isSigned: true) == nil)
    }

    @Test(
        arguments: [
            ("gzip", "/a.tar.gz", "", true), ("x-gzip", "/a.TGZ", "", true), ("gzip", "/a", "\u{1F}\u{8B}", false),
            ("xz", "/a.txz", "", true), ("compress", "/a.Z", "", true), ("br", "/a.gz", "", false),
            ("bzip2", "/a", "BZh9", true), ("unknown", "/a.unknown", "", false),
        ])
    func `a coding is about the file if its name or its start says so`(
        _ word: String, _ path: String, _ start: String, _ isOfFile: Bool
    ) throws {
        let coding = try #require(ContentCoding(word) { $0 })
        #expect((coding.isOfFile(named: path) || coding.isOfFile(startingWith: Array(start.utf8))) == isOfFile)
    }

    @Test(arguments: ["", "identity", "binary", "utf-8", "ISO-8859-15", "aws-chunked", "aws-chunked, identity", " , "])
    func `what names no coding is none`(_ value: String) { #expect(ContentCoding(value) { $0 } == nil) }

    private func header(_ lines: String...) -> AnswerHeader {
        var header = AnswerHeader()
        for line in lines + [""] { header.add(Array((line + "\r\n").utf8)) }
        return header
    }

    @Test(
        arguments: [
            ("bytes 0-9/10", 0..<10, 10), ("Bytes 5-5/10", 5..<6, 10), ("bytes */10", nil, 10),
            ("bytes 0-9/*", 0..<10, nil), ("bytes 0-9/x", nil, nil), ("bytes 0-9/-1", nil, nil),
            ("bytes 9-0/10", nil, 10), ("bytes 0-10/10", nil, 10), ("bytes -5/10", nil, 10), ("items 0-9/10", nil, nil),
            ("bytes 0-18446744073709551615/*", nil, nil), ("bytes 0-9", nil, nil), ("", nil, nil),
        ] as [(String, Range<UInt64>?, UInt64?)])
    func `a range in an answer is one that can be`(_ text: String, _ range: Range<UInt64>?, _ total: UInt64?) {
        let header = header("HTTP/1.1 206 Partial Content", "content-range: \(text)")
        #expect(header.range == range)
        #expect(header.totalSize == total)
    }

    @Test func `the last of several headers counts`() {
        let header = header(
            "HTTP/1.1 100 Continue", "ETag: \"0\"", "", "HTTP/2 200", "ETAG:W/\"1\"", "Accept-Ranges: bytes", "nothing",
            "Retry-After: 7")
        #expect(header.status == 200 && header.version.tag == Array("W/\"1\"".utf8) && header.version.strongTag == nil)
        #expect(header.acceptsRanges && header.retryAfter == 7 && header.isComplete)
    }
}

extension StoreSettings {
    /// Of variables and files that a test names.
    init(isGiven: Bool = false, _ variables: [String: String], _ files: [String: String] = [:]) throws(Failure) {
        try self.init(
            isGiven: isGiven, { variables[$0] },
            reading: { (name) throws(Failure) in files[name].map { Array($0.utf8) } })
    }
}
