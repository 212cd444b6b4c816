/// The one split of a URL (RFC 3986, 3), over its bytes: a letter that joins the one before it into one character on a
/// screen hides no `@`, `/` or `?` from it.
package struct URLParts: Sendable {
    /// Letters, digits and `+-.`, before `://`.
    package let scheme: Range<Int>
    /// The name and password before the host, without the `@`; nil without one.
    package let credentials: Range<Int>?
    /// With the brackets of an address of IPv6.
    package let host: Range<Int>
    /// The digits after the host's colon, maybe none; nil without a colon.
    package let port: Range<Int>?
    /// Empty, or from a slash on.
    package let path: Range<Int>
    /// What follows `?`, and what follows `#`; nil without these.
    package let query: Range<Int>?
    package let fragment: Range<Int>?

    /// Nil unless the text begins with a scheme and `://`, a host that can be one follows, and a port that can be one.
    ///
    /// - Parameter isObject: whether it names an object in a bucket, whose key may contain any character.
    package init?(_ text: [UInt8], isObject: Bool = false) {
        guard let scheme = Self.scheme(of: text), text[scheme.upperBound...].starts(with: "://".utf8) else {
            return nil
        }
        let start = scheme.upperBound + 3
        let ends = isObject ? "/" : "/?#"
        let authority = start..<(text[start...].firstIndex { ends.utf8.contains($0) } ?? text.endIndex)
        let at = text[authority].lastIndex(of: UInt8(ascii: "@"))
        let place = (at.map { $0 + 1 } ?? start)..<authority.upperBound
        // A bucket with a colon is the name and the beginning of a password with a slash in it.
        let bucket = text[place].contains(UInt8(ascii: ":")) ? nil : (host: place, port: Range<Int>?.none)
        guard let (host, port) = isObject ? bucket : Self.place(text, place), !host.isEmpty else { return nil }
        let rest = authority.upperBound..<text.endIndex
        let hash = isObject ? nil : text[rest].firstIndex(of: UInt8(ascii: "#"))
        let main = rest.lowerBound..<(hash ?? text.endIndex)
        let mark = isObject ? nil : text[main].firstIndex(of: UInt8(ascii: "?"))
        (self.scheme, self.host, self.port) = (scheme, host, port)
        credentials = at.map { start..<$0 }
        path = main.lowerBound..<(mark ?? main.upperBound)
        query = mark.map { $0 + 1..<main.upperBound }
        fragment = hash.map { $0 + 1..<text.endIndex }
    }

    /// The letters before a colon that begin a URL.
    private static func scheme(of text: [UInt8]) -> Range<Int>? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0, text[0].isLetter,
            text[..<colon].allSatisfy({ $0.isLetter || $0.isDecimalDigit || "+-.".utf8.contains($0) })
        else { return nil }
        return 0..<colon
    }

    /// Splits the host from the port; nil if they can't be such.
    private static func place(_ text: [UInt8], _ range: Range<Int>) -> (host: Range<Int>, port: Range<Int>?)? {
        let isAddress = text[range].first == UInt8(ascii: "[")
        let close = isAddress ? text[range].firstIndex(of: UInt8(ascii: "]")) : range.lowerBound
        guard let close, let colon = .some(text[close..<range.upperBound].firstIndex(of: UInt8(ascii: ":"))) else {
            return nil
        }
        let host = range.lowerBound..<(colon ?? range.upperBound)
        let digits = colon.map { $0 + 1..<range.upperBound }
        if isAddress {
            guard close + 1 == host.upperBound, host.count > 2,
                text[host].dropFirst().dropLast().allSatisfy({ $0.isHexDigit || ":.".utf8.contains($0) })
            else { return nil }
        } else if text[host].contains(where: { $0 <= 0x20 || $0 == 0x7F || noHost.utf8.contains($0) }) {
            return nil
        }
        guard let digits else { return (host, nil) }
        let port = text[digits].reduce(UInt64(0)) { min($0, 1 << 20) * 10 + UInt64($1 & 0xF) }
        return text[digits].allSatisfy(\.isDecimalDigit) && port <= UInt16.max ? (host, digits) : nil
    }

    /// What no name of a host contains; `%` would be decoded to any of them.
    private static let noHost = ":/?#[]@!$&'()*+,;=<>{}|\\^`\"%"
}

extension URLParts {
    /// What may be shown of a URL: scheme, host, port and path. Its name and password, query and fragment are secrets,
    /// and those who type a password often do not encode what would end it. So if an `@` comes after the host, and a
    /// colon before that, all up to the `@` may be a password, and is not shown; nor is what follows a `?` there.
    package static func shown(_ text: [UInt8], isObject: Bool = false) -> [UInt8] {
        guard isMeant(by: text), let scheme = scheme(of: text) else { return text }
        let start = scheme.upperBound + 3
        let prefix = text[scheme].map { $0.isLetter ? $0 | 0x20 : $0 } + Array("://".utf8)
        let parts = URLParts(text, isObject: isObject)
        if isObject, let parts { return prefix + text[parts.host] + text[parts.path] }
        let authority = text[start...].prefix { !"/?#".utf8.contains($0) }
        let last = text[start...].lastIndex(of: UInt8(ascii: "@"))
        let end = text[start...].firstIndex { "?#".utf8.contains($0) } ?? text.endIndex
        guard let last else { return prefix + text[start..<end] }
        if last < authority.endIndex { return prefix + text[(last + 1)..<end] }
        if parts == nil || authority.contains(UInt8(ascii: ":")) {
            return prefix + Array("...".utf8) + (last < end ? text[last..<end] : [])
        }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        return prefix + text[(at.map { $0 + 1 } ?? start)..<end]
    }

    /// Whether a word is meant as a URL, of whatever scheme.
    package static func isMeant(by word: [UInt8]) -> Bool {
        scheme(of: word).map { word[$0.upperBound...].starts(with: "://".utf8) } ?? false
    }
}

extension String {
    /// A word that the user typed, for a message: the URL that it is, or ends in, without its secrets.
    package var withoutSecrets: String {
        let bytes = Array(utf8)
        guard let mark = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else { return self }
        let start = bytes[..<mark].lastIndex { !$0.isLetter && !$0.isDecimalDigit && !"+-.".utf8.contains($0) }
        // What has no scheme is shown like what has one.
        let rest = Array(bytes[(start.map { $0 + 1 } ?? 0)...])
        let url = URLParts.isMeant(by: rest) ? rest : Array("url".utf8) + bytes[mark...]
        return String(decoding: bytes[..<(bytes.count - rest.count)] + URLParts.shown(url), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    fileprivate var isDecimalDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    fileprivate var isHexDigit: Bool { isDecimalDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }
}
