import ByteStreams
import Glibc
import Synchronization
import Testing

@testable import RemoteSources

struct RequestContentTests {
    private static func content(_ text: String) throws -> RequestContent { try RequestContent(Array(text.utf8)) }

    /// The check values of the checksum and the digests.
    @Test func `checksums are those that stores compute`() throws {
        let digits = try Self.content("123456789")
        #expect(digits.crc32c == [0xE3, 0x06, 0x92, 0x83])
        #expect(RequestContent.base64(digits.crc32c) == "4waSgw==")
        #expect(try Self.content("").crc32c == [0, 0, 0, 0])
        // 32 zeros, of RFC 3720, B.4.
        #expect(try RequestContent([UInt8](repeating: 0, count: 32)).crc32c == [0x8A, 0x91, 0x36, 0xAA])
    }

    @Test func `digests are computed by the library that libcurl brings`() throws {
        let text = try Self.content("abc")
        // Nothing may have brought it yet, which does not count later.
        _ = text.md5
        _ = try RemoteClient()
        #expect(text.md5.map(RequestContent.hexadecimal) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(text.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    /// A digest of a large part takes seconds, and is given up within milliseconds.
    @Test func `nobody waits for a digest that nobody wants any more`() throws {
        _ = try RemoteClient()
        let size = 3 << 20
        let memory = try #require(calloc(size, 1))
        let asked = Atomic(0)
        let most = Atomic(Int.max)
        let content = RequestContent(
            HeapMemory(UnsafeMutableRawBufferPointer(start: memory, count: size)), count: size,
            isOver: { asked.add(1, ordering: .relaxed).newValue > most.load(ordering: .relaxed) })
        #expect(content.md5.map(RequestContent.hexadecimal) == "d1dd210d6b1312cb342b56d02bd5e651")
        most.store(asked.load(ordering: .relaxed) + 1, ordering: .relaxed)
        #expect(content.md5 == nil && content.sha256 == nil)
        most.store(.max, ordering: .relaxed)
        #expect(content.sha256 == "bbd05cf6097ac9b1f89ea29d2542c1b7b67ee46848393895f5a9e43fa1f621e5")
    }

    /// libcurl before 8.10 signs lines in the order of all their characters, and stores want that of their names.
    @Test func `lines that would be signed in the wrong order are known before`() {
        let words = [
            "a", "a-b", "a-b-c", "ab", "b", "x-amz-meta-a", "x-amz-meta-a.b", "x-amz-meta-a1", "x-amz-meta-A-z",
        ]
        for first in words {
            for second in words where second != first {
                let lines = ["\(first): 1", "\(second): 2"].map { $0.lowercased() }
                let whole = lines.map { $0.replacing(": ", with: ":") }.sorted {
                    $0.utf8.lexicographicallyPrecedes($1.utf8)
                }
                let names = lines.map { String($0.prefix { $0 != ":" }) }
                    .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                let isMisplaced = whole.map { String($0.prefix { $0 != ":" }) } != names
                #expect((Message.misplaced(in: ["\(first): 1", "\(second): 2"]) != nil) == isMisplaced, "\(names)")
            }
        }
    }

    @Test func `a tag is used only if it can be kept and said`() {
        #expect(WrittenObject.isUsable(Array("\"a\"".utf8)) && !WrittenObject.isUsable([UInt8]()))
        #expect(!WrittenObject.isUsable([UInt8](repeating: 97, count: 2000)) && !WrittenObject.isUsable([97, 1]))
    }

    /// Each secret goes to the servers that it is for. A run that asks one kind gives them all lines: a gate before a
    /// store may want a cookie.
    @Test(arguments: [false, true], [false, true])
    func `a store and a server learn their own lines only`(asksBoth: Bool, isSigned: Bool) throws {
        let lines = [
            "Authorization: a", "COOKIE: a", "Proxy-Authorization: a", "X-Amz-Server-Side-Encryption-C: a", "X-T: a",
        ]
        var options = RemoteOptions()
        (options.headers, options.asksBothKinds) = (lines, asksBoth)
        // Loads libcurl, which signs.
        _ = try RemoteClient()
        let key = isSigned ? AccessKey(identifier: "a", secret: "b") : nil
        let value = { (name: String) in name == "AWS_ENDPOINT_URL" ? "https://store.example" : nil }
        let settings = try StoreSettings(isGiven: true, value, reading: { _ in nil })
        let location = try #require(RemoteLocation("s3://bucket/key"))
        let store = RemoteAddress(try ObjectStore(location, settings))
        let server = RemoteAddress(try #require(RemoteLocation("https://other.example/a")))
        func given(_ address: RemoteAddress, _ key: AccessKey?) throws -> [String] {
            try address.request(range: nil, Message(), options, key).lines.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try given(store, key) == (asksBoth ? Array(lines[3...]) : lines))
        #expect(try given(server, nil) == (asksBoth ? lines.filter { !$0.hasPrefix("X-Amz") } : lines))
    }

    @Test(arguments: ["If-None-Match: *", "content-md5: x", "x-amz-checksum-crc32c: x", "X-Amz-Meta-Sluice-Run: 1"])
    func `a line that an upload has itself can't be given`(line: String) throws {
        var options = RemoteOptions()
        options.headers = [line]
        let client = try RemoteClient(options: options)
        let location = try #require(RemoteLocation("s3://bucket/key"))
        #expect(throws: Failure.self) { try WrittenObject(location, client: client) }
    }

    @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"])
    func `base 64 is that of RFC 4648`(text: String) {
        let coded = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE="]
        #expect(RequestContent.base64(Array(text.utf8)) == coded[text] ?? "Zm9vYmFy")
    }

    @Test(arguments: [
        ("x-amz-storage-class: X", true), ("X-Amz-Tagging: a=b", true), ("Content-Type: text/plain", true),
        ("Cache-Control: no-cache", true), ("x-amz-server-side-encryption: aws:kms", true),
        ("x-amz-server-side-encryption-aws-kms-key-id: 1", true), ("x-amz-meta-a: 1", true),
        ("x-amz-server-side-encryption-customer-key: 1", false), ("x-amz-request-payer: requester", false),
        ("x-amz-expected-bucket-owner: 1", false), ("Authorization: x", false),
    ])
    func `lines about the object go with the first request only`(line: String, isOfObject: Bool) {
        #expect(Message.isOfObject(line) == isOfObject)
        #expect(Message(headers: .withoutObject).takes(line) != isOfObject)
        #expect(Message().takes(line))
    }

    @Test func `tags of answers are found whatever surrounds them`() {
        let text = Array(
            "<?xml?><L xmlns=\"x\"><Part><ETag>&quot;a&amp;lt;&quot;</ETag></Part><Parts/><Part><ETag>b</ETag></Part></L>"
                .utf8)
        let tags = XMLText.sections("Part", in: text[...]).map { XMLText.text("ETag", in: $0) }
        #expect(tags == ["\"a&lt;\"", "b"])
        #expect(XMLText.text("None", in: text[...]) == nil)
        #expect(XMLText.text("L", in: text[...]) == nil)
        #expect(XMLText.sections("Part", in: Array("<Part".utf8)[...]).isEmpty)
    }
}
