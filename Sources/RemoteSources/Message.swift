package import ByteStreams
internal import CCurl
internal import Glibc

/// What a request says beside its address, and the bytes that are wanted.
struct Message {
    /// Nil for GET.
    var method: String?
    /// What follows the path, from `?` on: as it is signed, so with names in their order, and with each value.
    var query = ""
    var lines: [[UInt8]] = []
    /// What is sent; nil for nothing.
    var content: RequestContent?
    /// Which lines of the options it has.
    var headers = Headers.all
    /// Seconds without a byte that are granted beyond those of the options.
    var patience = 0

    enum Headers {
        case all
        /// Without those about the object, which a store takes with the first request only.
        case withoutObject
    }

    /// Whether it has a line of the options, as far as that is about the object.
    func takes(_ line: String) -> Bool { headers == .all || !Self.isOfObject(line) }

    /// The name of a line of a header, in small letters.
    static func name(of line: some StringProtocol) -> String { line.prefix { $0 != ":" }.lowercased() }

    /// What a line is for.
    enum Receiver {
        case store, server, both

        /// - Parameter name: of the line.
        init(_ name: String) {
            let isOfServer = ["authorization", "cookie"].contains(name) || name.hasPrefix("proxy-")
            self = name.hasPrefix("x-amz-") ? .store : isOfServer ? .server : .both
        }
    }

    /// Whether a line of the options is one that an upload has itself.
    static func isOwn(_ line: String) -> Bool {
        let name = name(of: line)
        return own.contains(name) || name.hasPrefix("x-amz-checksum-")
    }

    /// Whether a line says what an object is to be, such as its storage class, rather than who asks.
    static func isOfObject(_ line: String) -> Bool {
        let name = name(of: line)
        let isKey = name.hasPrefix("x-amz-server-side-encryption-customer-")
        return name.hasPrefix("content-") || ["cache-control", "expires"].contains(name)
            || !isKey && objectLines.contains { name.hasPrefix("x-amz-" + $0) }
    }

    /// Whether a line is for stores only, such as the key that they encrypt with.
    static func isOfStore(_ line: String) -> Bool { Receiver(name(of: line)) == .store }

    /// Two lines that would be signed in another order than by their names: a name that begins with the other one, and
    /// goes on with a character before the colon. libcurl before 8.10 compares whole lines.
    static func misplaced(in lines: [String]) -> (String, String)? {
        let names = Set(lines.map { name(of: $0) }).sorted()
        for name in names {
            let longer = names.first { other in
                other.hasPrefix(name) && (other.utf8.dropFirst(name.utf8.count).first ?? UInt8.max) < UInt8(ascii: ":")
            }
            if let longer { return (name, longer) }
        }
        return nil
    }

    private static let own = [
        "content-length", "content-md5", "expect", "host", "if-match", "if-none-match", "range", "transfer-encoding",
        "x-amz-content-sha256", "x-amz-date", "x-amz-sdk-checksum-algorithm", "x-amz-security-token",
        WrittenObject.markName,
    ]

    private static let objectLines = [
        "acl", "grant-", "meta-", "object-lock-", "server-side-encryption", "storage-class", "tagging",
        "website-redirect-location",
    ]
}

/// Bytes that a request sends, and what they are known by.
package struct RequestContent: Sendable {
    package let memory: HeapMemory
    package let count: Int
    private let hash = Locked<String??>(nil)
    package typealias Question = @Sendable () -> Bool
    /// Whether nobody wants to know any more: a digest of a large part takes seconds.
    let isOver: Question

    /// - Parameters:
    ///   - memory: its first bytes, which do not change any more.
    ///   - isOver: whether nobody wants to know any more what the bytes are known by.
    package init(_ memory: HeapMemory, count: Int, isOver: @escaping Question = { false }) {
        (self.memory, self.count, self.isOver) = (memory, count, isOver)
    }

    /// - Throws: `outOfMemory`.
    package init(_ bytes: [UInt8]) throws(Failure) {
        guard let memory = malloc(max(1, bytes.count)) else { throw .outOfMemory }
        let room = UnsafeMutableRawBufferPointer(start: memory, count: max(1, bytes.count))
        room.copyBytes(from: bytes)
        self.init(HeapMemory(room), count: bytes.count)
    }

    /// In hexadecimal digits; nil if nothing computes it, or nobody wants to know any more.
    var sha256: String? {
        hash.withLock { hash in
            if let hash { return hash }
            let text = digest(SLUICE_SHA256, 32).map(Self.hexadecimal)
            if text != nil || !isOver() { hash = .some(text) }
            return text
        }
    }

    /// Nil if nothing computes it, or nobody wants to know any more.
    package var md5: [UInt8]? { digest(SLUICE_MD5, 16) }

    /// The checksum CRC-32C, in the order of the network.
    package var crc32c: [UInt8] {
        let value = sluice_crc32c(memory.bytes.baseAddress, count)
        return (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private func digest(_ kind: sluice_digest, _ size: Int) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: size)
        var isOver = isOver
        let isComputed = withUnsafeMutablePointer(to: &isOver) { isOver in
            sluice_compute_digest(
                kind, memory.bytes.baseAddress, count, &result,
                { $0?.assumingMemoryBound(to: Question.self).pointee() ?? false }, isOver)
        }
        return isComputed ? result : nil
    }

    /// The digits of bytes, small letters among them.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Bytes in base 64 (RFC 4648).
    package static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            let digits = (0..<4).map { letters[value >> (18 - 6 * $0) & 63] }
            text += digits.prefix(group.count + 1) + Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
