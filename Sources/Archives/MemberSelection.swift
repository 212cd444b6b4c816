package import ByteStreams
internal import Glibc

/// Which members of an archive are wanted, and in which form.
package struct MemberSelection: Sendable {
    /// What differs from what was asked, or could surprise.
    package enum Notice: Sendable {
        /// The archive has several members of this name, of which the last counts.
        case repeated([UInt8])
        /// A hard link would point to nothing without the member that it means.
        case added([UInt8], for: [UInt8])
        /// The archive has no member in front of a hard link that it could mean.
        case dangling([UInt8], to: [UInt8])
        /// The archive goes on, from this byte on, with members that its index does not have.
        case unlisted(from: UInt64)
    }

    /// What was found.
    package struct Outcome {
        /// In the order of the archive.
        package var members: [ArchiveMember]
        /// Whether they are written as an archive, and not the content of the only one.
        package var isArchive: Bool
        package var notices: [Notice] = []
    }

    package var patterns: [MemberPattern]
    /// Whether they are written as an archive in any case.
    package var asArchive: Bool

    package init(_ patterns: [MemberPattern] = [], asArchive: Bool = false) {
        (self.patterns, self.asArchive) = (patterns, asArchive)
    }

    /// - Parameter most: bytes of memory for what is selected; nil for a quarter of what is available.
    /// - Throws: `archive` if a pattern matches nothing or too much, or the only member has no content.
    package func select(from index: ArchiveIndex, most: Int? = nil) throws(Failure) -> Outcome {
        var (found, room) = ([ArchiveMember](), MemberRoom(most))
        let names = PatternTable(patterns)
        var matched = [Bool](repeating: false, count: patterns.count)
        try index.visit(having: patterns.keys, where: names.judge) { member throws(Failure) in
            try room.take(member)
            member.path.withUnsafeBytes { path in names.forEachMatch(path) { matched[$0] = true } }
            found.append(member)
        }
        if let missing = matched.firstIndex(of: false) {
            let name = patterns[missing].text.printable
            guard let end = index.partialEnd else { throw .archive("no member is named \(name)") }
            throw .damagedArchive("its index ends there, and has no member named \(name)", at: end)
        }
        var outcome = Self.withoutRepeated(found, asArchive: asArchive)
        if let end = index.partialEnd { outcome.notices.append(.unlisted(from: end)) }
        outcome.isArchive = asArchive || outcome.members.count > 1 || outcome.members[0].kind == .directory
        let links = outcome.members.filter { $0.kind == .hardLink }
        if !links.isEmpty { try resolve(links, in: index, &outcome, &room) }
        if outcome.isArchive { return outcome }
        let member = outcome.members[0]
        guard member.kind.isFile else {
            throw .archive("\(member.path.printable) is \(member.noun): only --as-tar writes it")
        }
        return outcome
    }

    /// The last ones of each name, with what is said of each in front of it.
    private static func withoutRepeated(_ found: [ArchiveMember], asArchive: Bool) -> Outcome {
        var last: [[UInt8]: Int] = [:]
        let names = found.map { MemberPattern.plain($0.path) }
        for (position, name) in names.enumerated() where !found[position].kind.isAboutNext { last[name] = position }
        var (outcome, repeated) = (Outcome(members: [], isArchive: false), Set<[UInt8]>())
        var about: [ArchiveMember] = []
        for (position, member) in found.enumerated() {
            if about.last?.end != member.start { about = [] }
            if member.kind.isAboutNext {
                about.append(member)
                // What it is about was not asked for.
                if last[names[position]] == nil { outcome.members.append(member) }
            } else if last[names[position]] == position {
                outcome.members += about.filter { last[MemberPattern.plain($0.path)] != nil } + [member]
            } else if repeated.insert(member.path).inserted {
                outcome.notices.append(.repeated(member.path))
            }
        }
        let isOne = outcome.members.count { !$0.kind.isAboutNext } == 1
        if !asArchive, isOne { outcome.members.removeAll(where: \.kind.isAboutNext) }
        return outcome
    }

    /// Adds the members that hard links mean, or takes the file that the only one means.
    ///
    /// - Throws: `archive` if the file is missing.
    private func resolve(
        _ links: [ArchiveMember], in index: ArchiveIndex, _ outcome: inout Outcome, _ room: inout MemberRoom
    ) throws(Failure) {
        let targets = try LinkTargets(of: links, in: index, &room)
        var chosen = Set(outcome.members.map(\.start))
        for link in links {
            var member = link
            while member.kind == .hardLink {
                guard let target = targets.target(of: member) else {
                    if outcome.isArchive {
                        outcome.notices.append(.dangling(member.path, to: member.link))
                        break
                    }
                    throw .archive("\(member.path.printable) is a link to \(member.link.printable), which is missing")
                }
                member = target
                guard outcome.isArchive else { continue }
                // Another member of the same name, which comes later, is not what the link means. What this one means
                // was added with it.
                guard chosen.insert(target.start).inserted else { break }
                outcome.members += targets.about(target).filter { chosen.insert($0.start).inserted } + [target]
                outcome.notices.append(.added(target.path, for: link.path))
            }
            if !outcome.isArchive { outcome.members = [member] }
        }
        outcome.members.sort { $0.start < $1.start }
    }
}

extension [MemberPattern] {
    /// Names or directories, one of which each member has that matches; nil if one pattern tells none.
    fileprivate var keys: [UInt64]? {
        let keys = compactMap(\.key)
        return keys.count == count ? keys : nil
    }
}

/// Finds the patterns that match a name without trying each: a list of ten thousand names would be compared with each
/// of a million members.
private struct PatternTable {
    /// With fewer, to try each is faster than to hash every directory of a name.
    private static let many = 16

    private let patterns: [MemberPattern]
    /// Those without wildcards, by the key of their text.
    private var byKey: [UInt64: [Int]] = [:]
    /// The others.
    private var tried: [Int] = []

    init(_ patterns: [MemberPattern]) {
        self.patterns = patterns
        for (position, pattern) in patterns.enumerated() {
            if patterns.count >= Self.many, !pattern.hasWildcards, let key = pattern.key {
                byKey[key, default: []].append(position)
            } else {
                tried.append(position)
            }
        }
    }

    /// As `MemberPattern.judge`: nil if one of them matches.
    func judge(_ name: UnsafeRawBufferPointer) -> Int? {
        // A copy of the pattern for each name would take longer than the comparison.
        let patterns = patterns.span
        var telling = byKey.isEmpty ? 0 : Int.max
        for position in tried {
            guard let bytes = patterns[position].judge(name) else { return nil }
            telling = max(telling, bytes)
        }
        return hasKey(of: name) ? nil : telling
    }

    func forEachMatch(_ name: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
        for position in tried where patterns[position].matches(name) { body(position) }
        forEachKey(of: name) { positions in
            for position in positions where patterns[position].matches(name) { body(position) }
            return true
        }
    }

    private func hasKey(of name: UnsafeRawBufferPointer) -> Bool {
        var isFound = false
        forEachKey(of: name) { positions in
            isFound = positions.contains { patterns[$0].matches(name) }
            return !isFound
        }
        return isFound
    }

    /// Looks up the name, and the directories above it.
    ///
    /// - Parameter body: returns whether to go on.
    private func forEachKey(of name: UnsafeRawBufferPointer, _ body: ([Int]) -> Bool) {
        if byKey.isEmpty { return }
        let name = MemberPattern.plain(name)
        for end in 1..<max(1, name.count + 1) where end == name.count || name[end] == UInt8(ascii: "/") {
            let key = BloomFilter.key(of: UnsafeRawBufferPointer(rebasing: name[..<end]))
            if let positions = byKey[key], !body(positions) { return }
        }
    }
}

extension ArchiveMember {
    /// What it is, if not a file.
    fileprivate var noun: String {
        switch kind {
        case .symbolicLink: "a symbolic link"
        case .characterDevice, .blockDevice: "a device"
        case .pipe: "a FIFO"
        default: "no file"
        }
    }
}

extension [UInt8] {
    /// For a message.
    package var printable: String { String(decoding: self, as: UTF8.self).printable }
}

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
