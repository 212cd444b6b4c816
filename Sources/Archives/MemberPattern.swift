internal import ByteStreams
internal import Glibc

/// Names members: by their path, as a directory with all that is below it, or with the wildcards `*`, `?` and `[...]`
/// of `tar --wildcards`, which stand for slashes too.
package struct MemberPattern: Sendable {
    /// `FNM_LEADING_DIR` of <fnmatch.h>, which Swift does not see.
    private static let matchesFolders: Int32 = 1 << 3

    package let text: [UInt8]
    /// The text without `./` in front and slashes at the end, which make no difference.
    private let plain: [UInt8]
    /// How many of its bytes stand for themselves, up to the first wildcard.
    private let literal: Int
    private let glob: [CChar]?

    package init(_ text: [UInt8]) {
        self.text = text
        plain = Self.plain(text)
        literal = plain.firstIndex { "*?[\\".utf8.contains($0) } ?? plain.count
        glob = literal < plain.count ? plain.map { CChar(bitPattern: $0) } + [0] : nil
    }

    /// Whether it is the member, a directory above it, or the wildcards match one of these.
    package func matches(_ path: UnsafeRawBufferPointer) -> Bool { judge(path) == nil }

    var hasWildcards: Bool { glob != nil }

    /// The key, in a filter, of a name or directory that every matching path has; nil if there is none.
    package var key: UInt64? {
        // Up to the first wildcard only whole directories are known.
        let known = glob == nil ? plain.count : plain[..<literal].lastIndex(of: UInt8(ascii: "/")) ?? 0
        return known == 0 ? nil : plain[..<known].withUnsafeBytes(BloomFilter.key)
    }

    /// How many of a path's first bytes tell that it is unwanted, or more than it has if that takes all of them; nil if
    /// it is wanted.
    package func judge(_ path: UnsafeRawBufferPointer) -> Int? {
        let name = Self.plain(path)
        let same = plain.withUnsafeBytes(name.sameBytes)
        if covers(name, same) { return nil }
        guard same < min(name.count, literal), let start = path.baseAddress, let first = name.baseAddress else {
            return .max
        }
        // Whether a dot is left out is told by what follows it.
        return (first - start) + same + 2
    }

    /// - Parameter same: how many bytes are the same as those of the name, from the first one on.
    private func covers(_ name: UnsafeRawBufferPointer, _ same: Int) -> Bool {
        if same == plain.count, name.count == same || same == 0 || name[same] == UInt8(ascii: "/") { return true }
        guard let glob, same >= literal else { return false }
        let string = name.map { CChar(bitPattern: $0) } + [0]
        return fnmatch(glob, string, Self.matchesFolders) == 0
    }

    static func plain(_ path: [UInt8]) -> [UInt8] { path.withUnsafeBytes { Array(plain($0)) } }

    /// Without `./` in front, as bsdtar does, and without slashes at the end.
    static func plain(_ path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var path = path
        while path.count > 1, path[0] == UInt8(ascii: "."), path[1] == UInt8(ascii: "/") {
            path = UnsafeRawBufferPointer(rebasing: path.dropFirst(2))
            while path.first == UInt8(ascii: "/") { path = UnsafeRawBufferPointer(rebasing: path.dropFirst()) }
        }
        while path.count > 1, path.last == UInt8(ascii: "/") {
            path = UnsafeRawBufferPointer(rebasing: path.dropLast())
        }
        return path.count == 1 && path[0] == UInt8(ascii: ".") ? UnsafeRawBufferPointer(start: nil, count: 0) : path
    }
}
