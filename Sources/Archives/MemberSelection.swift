package import ByteStreams
internal import ZstdCodec

/// The selection of members from an archive, and the form in which they are written.
package struct MemberSelection: Sendable {
    /// Something that differs from the request, or could surprise the user.
    package enum Notice: Sendable {
        /// The archive has several members of this name, of which the last one is used.
        case repeated([UInt8])
        /// A member was added because a hard link would otherwise point to nothing.
        case added([UInt8], for: [UInt8])
        /// The archive has no member before a hard link that could be its target.
        case dangling([UInt8], to: [UInt8])
        /// From this byte on, the archive contains members that its index does not list.
        case unlisted(from: UInt64)
    }

    /// The selected members.
    package struct Outcome {
        /// The members in the order of the archive.
        package var members: [ArchiveMember]
        /// Whether they are written as an archive; otherwise, the content of the only member is written.
        package var isArchive: Bool
        package var notices: [Notice] = []
    }

    package var patterns: [MemberPattern]
    /// Whether to write an archive in any case.
    package var asArchive: Bool

    package init(_ patterns: [MemberPattern] = [], asArchive: Bool = false) {
        (self.patterns, self.asArchive) = (patterns, asArchive)
    }

    /// - Parameters:
    ///   - most: the memory limit for selected members in bytes; nil for a quarter of the available memory.
    ///   - latch: its failure ends the search; nil if nothing has to.
    /// - Throws: `archive` if a pattern matches nothing or too much, or if the only member has no content; the failure
    ///   of the latch.
    package func select(
        from index: ArchiveIndex, most: Int? = nil, latch: FailureLatch? = nil
    ) throws(Failure) -> Outcome {
        var (found, room) = ([ArchiveMember](), MemberCapacity(most))
        let names = PatternTable(patterns)
        var matched = [Bool](repeating: false, count: patterns.count)
        try index.visit(having: patterns.keys, latch: latch, where: names.judge) { member throws(Failure) in
            try room.take(member)
            names.forEachMatch(member.path.span.bytes) { matched[$0] = true }
            found.append(member)
        }
        if let missing = matched.firstIndex(of: false) {
            let name = String(decoding: patterns[missing].text, as: UTF8.self).withoutSecrets.printable
            guard let end = index.partialEnd else { throw .archive("no member is named \(name)") }
            throw .damagedArchive("its index ends there, and has no member named \(name)", at: end)
        }
        var outcome = Self.withoutRepeated(found, asArchive: asArchive)
        if let end = index.partialEnd { outcome.notices.append(.unlisted(from: end)) }
        outcome.isArchive = asArchive || outcome.members.count > 1 || outcome.members[0].kind == .directory
        let links = outcome.members.filter { $0.kind == .hardLink }
        if !links.isEmpty { try resolve(links, in: index, latch, &outcome, &room) }
        if outcome.isArchive { return outcome }
        let member = outcome.members[0]
        guard member.kind.isFile else {
            throw .archive("\(member.path.printable) is \(member.noun): only --as-tar writes it")
        }
        return outcome
    }

    /// The last member of each name, preceded by the members that describe it.
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
                // The member that it describes was not selected.
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
}

extension [MemberPattern] {
    /// Bloom-filter keys, at least one of which every matching member has; nil if some pattern has no key.
    fileprivate var keys: [UInt64]? {
        let keys = compactMap(\.key)
        return keys.count == count ? keys : nil
    }
}

/// Finds the patterns that match a name without trying each one: otherwise, ten thousand names would be compared with
/// each of a million members.
private struct PatternTable {
    /// With fewer patterns, trying each is faster than hashing every directory of a name.
    private static let many = 16

    private let patterns: [MemberPattern]
    /// The patterns without wildcards, by the key of their text.
    private var byKey: [UInt64: [Int]] = [:]
    /// The sizes of these texts in bytes: nothing else of a name is hashed, however many directories it has.
    private var sizes: Set<Int> = []
    /// The other patterns.
    private var tried: [Int] = []

    init(_ patterns: [MemberPattern]) {
        self.patterns = patterns
        for (position, pattern) in patterns.enumerated() {
            if patterns.count >= Self.many, !pattern.hasWildcards, let key = pattern.key {
                byKey[key, default: []].append(position)
                sizes.insert(pattern.size)
            } else {
                tried.append(position)
            }
        }
    }

    /// Like `MemberPattern.judge`: nil if one of them matches.
    func judge(_ name: RawSpan) -> Int? {
        // Copying the pattern for each name would take longer than the comparison.
        let patterns = patterns.span
        var telling = byKey.isEmpty ? 0 : Int.max
        for position in tried {
            guard let bytes = patterns[position].judge(name) else { return nil }
            telling = max(telling, bytes)
        }
        return hasKey(of: name) ? nil : telling
    }

    func forEachMatch(_ name: RawSpan, _ body: (Int) -> Void) {
        for position in tried where patterns[position].matches(name) { body(position) }
        forEachKey(of: name) { positions in
            for position in positions where patterns[position].matches(name) { body(position) }
            return true
        }
    }

    private func hasKey(of name: RawSpan) -> Bool {
        var isFound = false
        forEachKey(of: name) { positions in
            isFound = positions.contains { patterns[$0].matches(name) }
            return !isFound
        }
        return isFound
    }

    /// Looks up the name and all directories above it that may be patterns.
    ///
    /// - Parameter body: returns whether to continue.
    private func forEachKey(of name: RawSpan, _ body: ([Int]) -> Bool) {
        guard let longest = sizes.max() else { return }
        let name = name.extracting(MemberPattern.plain(name))
        for end in 1..<max(1, min(name.byteCount, longest) + 1)
        where (end == name.byteCount || name[end] == UInt8(ascii: "/")) && sizes.contains(end) {
            let key = BloomFilter.key(of: name.extracting(..<end))
            if let positions = byKey[key], !body(positions) { return }
        }
    }
}

extension ArchiveMember {
    /// What the member is if it is not a file.
    package var noun: String {
        switch kind {
        case .symbolicLink: "a symbolic link"
        case .characterDevice, .blockDevice: "a device"
        case .pipe: "a FIFO"
        default: "no file"
        }
    }
}

extension [UInt8] {
    /// The text for a message.
    package var printable: String { String(decoding: self, as: UTF8.self).printable }
}
