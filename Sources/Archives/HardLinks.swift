internal import ByteStreams
internal import ZstdCodec

extension MemberSelection {
    /// Adds the members that hard links point to, or replaces the only member, a link, with the file that it points to.
    ///
    /// - Throws: `archive` if the file is missing.
    func resolve(
        _ links: [ArchiveMember], in index: ArchiveIndex, _ latch: FailureLatch?, _ outcome: inout Outcome,
        _ room: inout MemberCapacity
    ) throws(Failure) {
        let targets = try HardLinkTargets(of: links, in: index, latch, &room)
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
                // Another member of that name, later in the archive, is not what the link points to. The targets of
                // this one were added together with it.
                guard chosen.insert(target.start).inserted else { break }
                outcome.members += targets.about(target).filter { chosen.insert($0.start).inserted } + [target]
                outcome.notices.append(.added(target.path, for: link.path))
            }
            if !outcome.isArchive { outcome.members = [member] }
        }
        outcome.members.sort { $0.start < $1.start }
    }
}

/// Possible targets of hard links by name, after tar's rule that the last member of a name wins.
struct HardLinkTargets {
    /// In this round, all links of the archive are looked up at once, instead of the next link of each chain.
    private static let mostRounds = 8

    private var members: [[UInt8]: [ArchiveMember]] = [:]

    /// Finds the members that links name, and if these are links too, the members that they name.
    ///
    /// - Throws: `archive` if they need more memory than is allowed.
    init(
        of links: [ArchiveMember], in index: ArchiveIndex, _ latch: FailureLatch?, _ room: inout MemberCapacity
    ) throws(Failure) {
        var names = Set(links.map { MemberPattern.plain($0.link) })
        var rounds = 0
        while !names.isEmpty {
            rounds += 1
            if rounds == Self.mostRounds { names = try Self.allNames(in: index, latch, room).subtracting(members.keys) }
            let isMeant = { [names] (path: RawSpan) in
                names.contains(Array(copying: path.extracting(MemberPattern.plain(path)))) ? nil : Int.max
            }
            let keys = names.map { BloomFilter.key(of: $0.span.bytes) }
            var more: Set<[UInt8]> = []
            try index.visit(having: keys, latch: latch, where: isMeant) { member throws(Failure) in
                try room.take(member)
                members[MemberPattern.plain(member.path), default: []].append(member)
                if member.kind == .hardLink { more.insert(MemberPattern.plain(member.link)) }
            }
            names = more.subtracting(members.keys).subtracting(names)
        }
    }

    /// The names that any hard link points to.
    private static func allNames(
        in index: ArchiveIndex, _ latch: FailureLatch?, _ room: MemberCapacity
    ) throws(Failure) -> Set<[UInt8]> {
        var (names, room) = (Set<[UInt8]>(), room)
        try index.visit(latch: latch) { member throws(Failure) in
            guard member.kind == .hardLink else { return }
            try room.take(member)
            names.insert(MemberPattern.plain(member.link))
        }
        return names
    }

    /// The member that a link points to: the last one of that name before the link; nil if there is none.
    func target(of link: ArchiveMember) -> ArchiveMember? {
        guard let others = members[MemberPattern.plain(link.link)] else { return nil }
        // A search from the end would take long for many links to many members of one name.
        return others[..<others.firstPosition { $0.start >= link.start }].last { !$0.kind.isAboutNext }
    }

    /// The members before a target that describe it.
    func about(_ target: ArchiveMember) -> [ArchiveMember] {
        guard let others = members[MemberPattern.plain(target.path)] else { return [] }
        let end = others.firstPosition { $0.start >= target.start }
        var (first, start) = (end, target.start)
        while first > 0, others[first - 1].kind.isAboutNext, others[first - 1].end == start {
            first -= 1
            start = others[first].start
        }
        return Array(others[first..<end])
    }
}
