internal import ByteStreams
internal import ZstdCodec

/// A pattern for members: a path, a directory with everything below it, or the wildcards `*`, `?` and `[...]` of `tar
/// --wildcards`, which also match slashes.
package struct MemberPattern: Sendable {
    package let text: [UInt8]
    /// The text without leading `./` and trailing slashes, which make no difference.
    private let plain: [UInt8]
    /// The number of literal bytes before the first wildcard.
    private let literal: Int
    /// Nil if the pattern has no wildcards.
    private let wildcards: Wildcards?

    package init(_ text: [UInt8]) {
        self.text = text
        plain = Self.plain(text)
        literal = plain.firstIndex { "*?[\\".utf8.contains($0) } ?? plain.count
        wildcards = literal < plain.count ? Wildcards(plain) : nil
    }

    /// Whether the path, or a directory above it, equals the pattern or matches its wildcards.
    package func matches(_ path: RawSpan) -> Bool { judge(path) == nil }

    package var hasWildcards: Bool { wildcards != nil }
    /// Whether this is the name of the member, and not of a directory above it, nor a pattern for several.
    package func isName(of path: [UInt8]) -> Bool { !hasWildcards && Self.plain(path) == plain }
    /// The size of the text that `key` stands for in bytes, of a pattern without wildcards.
    var size: Int { plain.count }

    /// The Bloom-filter key of a name or directory that every matching path has; nil if there is none.
    package var key: UInt64? {
        // Before the first wildcard, only whole directories are known.
        let known = wildcards == nil ? plain.count : plain[..<literal].lastIndex(of: UInt8(ascii: "/")) ?? 0
        return known == 0 ? nil : BloomFilter.key(of: plain.span.bytes.extracting(..<known))
    }

    /// Nil if the path matches. Otherwise the length of a prefix that rules it out, or more than its length if only the
    /// whole path does.
    package func judge(_ path: RawSpan) -> Int? {
        let range = Self.plain(path)
        let name = path.extracting(range)
        let same = plain.span.bytes.sameBytes(as: name)
        if covers(name, same) { return nil }
        // Count one more byte: whether a dot belongs to a leading `./` depends on the byte after it.
        return same < min(range.count, literal) ? range.lowerBound + same + 2 : .max
    }

    /// - Parameter same: the length of the common prefix of name and pattern.
    private func covers(_ name: RawSpan, _ same: Int) -> Bool {
        if same == plain.count, name.byteCount == same || same == 0 || name[same] == UInt8(ascii: "/") { return true }
        guard let wildcards, same >= literal else { return false }
        return wildcards.match(name)
    }

    static func plain(_ path: [UInt8]) -> [UInt8] { Array(path[plain(path.span.bytes)]) }

    /// The part of a path without leading `./`, as in bsdtar, and without trailing slashes.
    static func plain(_ path: RawSpan) -> Range<Int> {
        var (start, end) = (0, path.byteCount)
        while end - start > 1, path[start] == UInt8(ascii: "."), path[start + 1] == UInt8(ascii: "/") {
            start += 2
            while start < end, path[start] == UInt8(ascii: "/") { start += 1 }
        }
        while end - start > 1, path[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return end - start == 1 && path[start] == UInt8(ascii: ".") ? end..<end : start..<end
    }
}
