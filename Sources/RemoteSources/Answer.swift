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
    private(set) var location: String?
    /// Seconds to wait before the next request, if the server asks for that.
    private(set) var retryAfter: Int?
    private(set) var contentEncoding: String?
    /// Why a request was refused, in a word such as `ExpiredToken` (S3, "Error responses").
    private(set) var errorCode: String?
    /// The region that S3 names for the bucket; nil after `ignore`.
    private(set) var bucketRegion: String?
    /// Whether all lines have arrived.
    private(set) var isComplete = false

    struct Version: Equatable, Sendable {
        var tag: String?
        var modified: String?

        /// For `If-Match`, which compares strong tags only.
        var strongTag: String? { tag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }
    }

    /// Drops the bucket's region if the request was made for it: then the answer has another reason.
    mutating func ignore(region: String?) {
        if bucketRegion == region { bucketRegion = nil }
    }

    /// Looks for the code of an error in the beginning of its body: `<Error><Code>ExpiredToken</Code>`. A server may
    /// send anything there, so only a short word is taken.
    mutating func addError(_ body: some Collection<UInt8>) {
        let parts = String(decoding: body, as: UTF8.self).split(separator: "<")
        guard parts.contains(where: { $0.hasPrefix("Error>") }),
            let code = parts.first(where: { $0.hasPrefix("Code>") })
        else { return }
        let word = code.dropFirst("Code>".count)
        if 1...64 ~= word.count, word.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            errorCode = String(word)
        }
    }

    /// Adds a line, such as `ETag: "1"`.
    mutating func add(_ line: String) {
        let line = line.trimmed
        if line.hasPrefix("HTTP/") {
            // Informational answers come first.
            self = AnswerHeader()
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return
        }
        if line.isEmpty {
            isComplete = true
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = String(line[line.index(after: colon)...]).trimmed
        switch line[..<colon].lowercased() {
        case "content-range": (range, totalSize) = Self.contentRange(value)
        case "content-length": contentLength = UInt64(value)
        case "etag": version.tag = value
        case "last-modified": version.modified = value
        case "accept-ranges": acceptsRanges = value.lowercased() == "bytes"
        case "location": location = value
        case "retry-after": retryAfter = Int(value) ?? Self.seconds(until: value)
        case "content-encoding": contentEncoding = value.lowercased() == "identity" ? nil : value
        case "x-amz-bucket-region": bucketRegion = value
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
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
            return (nil, total)
        }
        return (first..<last + 1, total)
    }
}

extension String {
    /// The text without surrounding whitespace and control characters.
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.unicodeScalars.first, first.value <= 0x20 { text.unicodeScalars.removeFirst() }
        while let last = text.unicodeScalars.last, last.value <= 0x20 { text.unicodeScalars.removeLast() }
        return String(text)
    }
}
