internal import Glibc

/// Names members: by their path, as a directory with all that is below it, or with the wildcards `*`, `?` and `[...]`
/// of `tar --wildcards`, which stand for slashes too.
package struct MemberPattern: Sendable {
    /// `FNM_LEADING_DIR` of <fnmatch.h>, which Swift does not see.
    private static let matchesFolders: Int32 = 1 << 3

    package let text: [UInt8]
    /// Without what makes no difference.
    private let plain: [UInt8]
    private let glob: [CChar]?

    package init(_ text: [UInt8]) {
        self.text = text
        plain = Self.plain(text)
        let hasWildcards = text.contains { "*?[\\".utf8.contains($0) }
        glob = hasWildcards ? plain.map { CChar(bitPattern: $0) } + [0] : nil
    }

    /// Whether it is the member, a directory above it, or the wildcards match one of these.
    package func matches(_ path: UnsafeRawBufferPointer) -> Bool {
        let name = Self.plain(path)
        if plain.isEmpty || begins(name) && (name.count == plain.count || name[plain.count] == UInt8(ascii: "/")) {
            return true
        }
        guard let glob else { return false }
        let string = name.map { CChar(bitPattern: $0) } + [0]
        return fnmatch(glob, string, Self.matchesFolders) == 0
    }

    private func begins(_ name: UnsafeRawBufferPointer) -> Bool {
        plain.withUnsafeBytes { plain in
            guard name.count >= plain.count, let name = name.baseAddress, let plain = plain.baseAddress else {
                return false
            }
            return memcmp(name, plain, self.plain.count) == 0
        }
    }

    static func plain(_ path: [UInt8]) -> [UInt8] { path.withUnsafeBytes { Array(plain($0)) } }

    /// Without `./` in front, as bsdtar does, and without slashes at the end.
    private static func plain(_ path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
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
