internal import ByteStreams

/// The members that hard links may mean, by their names, as tar sees them when it has extracted everything.
struct LinkTargets {
    /// A chain of links is followed link by link up to here.
    private static let mostRounds = 8

    private var members: [[UInt8]: [ArchiveMember]] = [:]

    /// Finds the members that links name, and those that these name if they are links too.
    ///
    /// - Throws: `archive` if they take more memory than there is room for.
    init(of links: [ArchiveMember], in index: ArchiveIndex, _ room: inout MemberRoom) throws(Failure) {
        var names = Set(links.map { MemberPattern.plain($0.link) })
        var rounds = 0
        while !names.isEmpty {
            rounds += 1
            if rounds == Self.mostRounds { names = try Self.allNames(in: index, room).subtracting(members.keys) }
            let isMeant = { [names] (path: UnsafeRawBufferPointer) in
                names.contains(Array(MemberPattern.plain(path))) ? nil : Int.max
            }
            let keys = names.map { $0.withUnsafeBytes(BloomFilter.key) }
            var more: Set<[UInt8]> = []
            try index.visit(having: keys, where: isMeant) { member throws(Failure) in
                try room.take(member)
                members[MemberPattern.plain(member.path), default: []].append(member)
                if member.kind == .hardLink { more.insert(MemberPattern.plain(member.link)) }
            }
            names = more.subtracting(members.keys).subtracting(names)
        }
    }

    /// What any hard link names.
    private static func allNames(in index: ArchiveIndex, _ room: MemberRoom) throws(Failure) -> Set<[UInt8]> {
        var (names, room) = (Set<[UInt8]>(), room)
        try index.visit { member throws(Failure) in
            guard member.kind == .hardLink else { return }
            try room.take(member)
            names.insert(MemberPattern.plain(member.link))
        }
        return names
    }

    /// The member that a link means: the last one of its name in front of it; nil if there is none.
    func target(of link: ArchiveMember) -> ArchiveMember? {
        members[MemberPattern.plain(link.link)]?.last { $0.start < link.start && !$0.kind.isAboutNext }
    }

    /// The members in front of a target that say something of it.
    func about(_ target: ArchiveMember) -> [ArchiveMember] {
        var start = target.start
        let inFront = members[MemberPattern.plain(target.path)]?.reversed().filter { member in
            guard member.kind.isAboutNext, member.end == start else { return false }
            start = member.start
            return true
        }
        return inFront?.reversed() ?? []
    }
}
