internal import CCurl
internal import Glibc

/// The header of an answer (RFC 9110).
struct AnswerHeader {
    private(set) var status = 0
    /// From `Content-Range`: which bytes follow, and the size of the file. A status of 416 has only the size.
    private(set) var range: Range<UInt64>?
    private(set) var totalSize: UInt64?
    private(set) var contentLength: UInt64?
    /// Values that change with the content; nil if the server does not send them.
    private(set) var version = Version()
    private(set) var acceptsRanges = false
    private(set) var location: [UInt8]?
    /// Seconds to wait before the next request, if the server asks for that.
    private(set) var retryAfter: Int?
    /// What the bytes are encoded in, as the server says; nil for nothing.
    private(set) var coding: ContentCoding?
    /// Why a request was refused, in a word such as `ExpiredToken` (S3, "Error responses").
    private(set) var errorCode: String?
    /// Of which line of the request that word is, if it says so.
    private(set) var errorArgument: String?
    /// The region that S3 names for the bucket; nil after `ignore`, and if it can't be the name of one.
    private(set) var bucketRegion: String?
    /// What S3 checks the parts of an upload by, such as `CRC32C`, if it was asked to.
    private(set) var checksum: String?
    /// Whether tags are the MD5 of what was sent, if they look like that: not with SSE-KMS or SSE-C.
    private(set) var areTagsHashes = true
    /// The mark of the run that has made an object (`WrittenObject`).
    private(set) var mark: String?
    /// How often the server was asked for this answer.
    var attempts = 1
    /// Where no key was found; nil for an answer to a request that was signed, or is not to be.
    var searched: [String]?
    /// Whether all lines have arrived.
    private(set) var isComplete = false

    struct Version: Equatable, Sendable {
        /// Bytes, because a tag may be any text without quotes (RFC 9110, 8.8.3).
        var tag: [UInt8]?
        var modified: [UInt8]?

        /// For `If-Match`, which compares strong tags only.
        var strongTag: [UInt8]? { tag.flatMap { $0.starts(with: "W/".utf8) ? nil : $0 } }
    }

    /// Drops the bucket's region if the request was made for it: then the answer has another reason.
    mutating func ignore(region: String?) {
        if bucketRegion == region { bucketRegion = nil }
    }

    /// Looks for the code of an error in the beginning of its body: `<Error><Code>ExpiredToken</Code>`. A server may
    /// send anything there, so only a short word is taken.
    mutating func addError(_ body: some Collection<UInt8>) {
        let parts = body.split(separator: UInt8(ascii: "<"))
        guard parts.contains(where: { $0.starts(with: "Error>".utf8) }),
            let code = parts.first(where: { $0.starts(with: "Code>".utf8) })
        else { return }
        errorCode = Self.word(code.dropFirst("Code>".utf8.count), "")
        for name in ["ArgumentName>", "Header>"] where errorArgument == nil {
            let argument = parts.first { $0.starts(with: name.utf8) }
            errorArgument = argument.flatMap { Self.word($0.dropFirst(name.utf8.count), "-") }
        }
    }

    /// Adds a line, such as `ETag: "1"`.
    mutating func add(_ line: some Collection<UInt8>) {
        let line = Self.trimmed(Array(line)[...])
        if line.starts(with: "HTTP/".utf8) {
            // Informational answers come first.
            self = AnswerHeader()
            let words = line.split(separator: UInt8(ascii: " "))
            status = words.dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
            return
        }
        if line.isEmpty {
            isComplete = true
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let bytes = Array(Self.trimmed(line[(colon + 1)...]))
        let value = String(decoding: bytes, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "content-range": (range, totalSize) = Self.contentRange(value)
        case "content-length": contentLength = UInt64(value)
        case "etag": version.tag = bytes
        case "last-modified": version.modified = bytes
        case "accept-ranges": acceptsRanges = value.lowercased() == "bytes"
        case "location": location = bytes
        case "retry-after": retryAfter = Int(value) ?? Self.seconds(until: value)
        case "content-encoding":
            coding = ContentCoding(value) { Self.word($0.utf8, "-") }
        case "x-amz-bucket-region": bucketRegion = Self.word(bytes, "-")
        case "x-amz-checksum-algorithm": checksum = Self.word(bytes, "")
        case "x-amz-server-side-encryption": if value != "AES256" { areTagsHashes = false }
        case "x-amz-server-side-encryption-customer-algorithm": areTagsHashes = false
        case WrittenObject.markName: mark = Self.word(bytes, "")
        default: break
        }
    }

    /// Seconds until a date such as `Wed, 21 Oct 2026 07:28:00 GMT`.
    private static func seconds(until date: String) -> Int? {
        let seconds = sluice_parse_date(date)
        return seconds < 0 ? nil : max(0, Int(seconds) - time(nil))
    }

    /// Such as `bytes 0-99/1234`, or `bytes */1234`.
    private static func contentRange(_ text: String) -> (Range<UInt64>?, UInt64?) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return (nil, nil) }
        let numbers = parts[1].split(separator: "/")
        guard numbers.count == 2 else { return (nil, nil) }
        let ends = numbers[0].split(separator: "-").map { UInt64($0) }
        let total = UInt64(numbers[1])
        // A server may not know the size.
        if total == nil, numbers[1] != "*" { return (nil, nil) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
            return (nil, total)
        }
        return (first..<last + 1, total)
    }

    /// A short word of letters, digits and some marks, as it can be shown; nil for anything else, since a server may
    /// send anything.
    private static func word(_ bytes: some Collection<UInt8>, _ marks: String) -> String? {
        let isWord = bytes.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || marks.utf8.contains(byte)
        }
        return isWord && 1...64 ~= bytes.count ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// The text without surrounding whitespace and control characters.
    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = text.firstIndex { $0 > 0x20 } ?? text.endIndex
        return text[start...].prefix((text.lastIndex { $0 > 0x20 } ?? start - 1) - start + 1)
    }
}
