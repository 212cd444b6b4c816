package import ByteStreams

/// Makes the content of a sparse file from its data.
package struct SparseContent {
    /// The most bytes of holes: each shared region takes some memory.
    private static let mostHoles: UInt64 = 256 << 30

    private let member: ArchiveMember
    private var map: SparseMap
    /// Where the next byte goes.
    private var position: UInt64 = 0
    /// The extent that the next byte of data belongs to.
    private var extent = 0

    /// - Throws: `archive` if the map makes no sense, or has too much of holes.
    package init(_ member: ArchiveMember, _ map: SparseMap) throws(Failure) {
        (self.member, self.map) = (member, map)
        if !needsMap { try check(stored: member.storedSize) }
    }

    /// Whether more of the map has to come, in front of the data.
    private var needsMap: Bool { map.isInData && !map.isWhole }

    private func check(stored: UInt64) throws(Failure) {
        try map.check(size: member.contentSize, stored: stored, at: member.start)
        guard member.contentSize - stored <= Self.mostHoles else {
            throw .archive("\(member.path.printable) has too many holes: only --as-tar writes it")
        }
    }

    /// The content up to the end of these bytes of data.
    package mutating func take(_ data: Bytes) throws(Failure) -> Bytes {
        var (rest, content) = (data, [Bytes]())
        if needsMap { try takeMap(&rest) }
        while !rest.isEmpty, extent < map.extents.count {
            let next = map.extents[extent]
            let start = max(position, next.lowerBound)
            content.append(.zeros(Int(clamping: start - position)))
            let part = rest.removeFirst(Int(clamping: next.upperBound - start))
            content.append(part)
            position = start + UInt64(part.count)
            if position == next.upperBound { extent += 1 }
        }
        return Bytes(joining: content)
    }

    /// Takes bytes of the map, which may come in very many pieces: none is looked at twice.
    private mutating func takeMap(_ data: inout Bytes) throws(Failure) {
        var taken = 0
        try data.forEachRegion { region throws(Failure) in
            taken += try map.isWhole ? 0 : map.take(data: region, at: member.data)
        }
        _ = data.removeFirst(taken)
        if !needsMap { try check(stored: member.storedSize - map.size) }
    }

    /// What follows the data.
    ///
    /// - Throws: `archive` if the map has not come whole.
    package mutating func finish() throws(Failure) -> Bytes {
        if needsMap { throw .damagedArchive("the map of a sparse file is truncated", at: member.data) }
        return .zeros(Int(clamping: member.contentSize - position))
    }
}
