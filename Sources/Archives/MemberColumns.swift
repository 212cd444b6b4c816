package import ByteStreams
internal import ZstdCodec

/// The members of an index block in two columns: names, of which each stores only its difference from the previous one,
/// and all other fields. Names can be searched without the second column.
package struct MemberColumns {
    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let isSparse = Flags(rawValue: 1 << 0)
        /// The owner differs from that of the previous member.
        static let hasOwner = Flags(rawValue: 1 << 1)
        static let hasNanoseconds = Flags(rawValue: 1 << 2)
        /// The size of the data differs from the content size.
        static let hasStoredSize = Flags(rawValue: 1 << 3)
        static let all = Flags(rawValue: 15)
    }

    /// The most bytes of all names: each of them may share nearly all of a long one.
    private static let mostNames = 64 << 20

    package private(set) var names: [UInt8] = []
    package private(set) var fields: [UInt8] = []
    package private(set) var count = 0
    /// The size of all names in bytes, including shared parts.
    private(set) var nameBytes = 0
    private var last = ArchiveMember(path: [], kind: .file)

    /// - Parameter start: the earliest start of the first member.
    package init(at start: UInt64) { last.data = start }

    /// The end of the last member, or the earliest start of the first one.
    var end: UInt64 { last.end }

    /// Adds a member after the last one.
    package mutating func append(_ member: ArchiveMember) {
        let shared = last.path.span.bytes.sameBytes(as: member.path.span.bytes)
        names.append(varint: UInt64(shared))
        names.append(varint: UInt64(member.path.count - shared))
        names += member.path[shared...]
        nameBytes += member.path.count
        var flags: Flags = member.isSparse ? .isSparse : []
        if member.owner != last.owner { flags.insert(.hasOwner) }
        if member.modified.nanoseconds > 0 { flags.insert(.hasNanoseconds) }
        if member.storedSize != member.contentSize { flags.insert(.hasStoredSize) }
        fields.append(member.kind.rawValue)
        fields.append(flags.rawValue)
        fields.append(varint: UInt64(member.mode))
        if flags.contains(.hasOwner) {
            fields.append(signed: member.owner.user)
            fields.append(signed: member.owner.group)
            fields.append(counted: member.owner.userName)
            fields.append(counted: member.owner.groupName)
        }
        fields.append(signed: member.modified.seconds &- last.modified.seconds)
        if flags.contains(.hasNanoseconds) { fields.append(varint: UInt64(member.modified.nanoseconds)) }
        fields.append(varint: member.contentSize)
        if flags.contains(.hasStoredSize) { fields.append(varint: member.storedSize) }
        // Counted in blocks, of which an archive consists.
        fields.append(varint: (member.start - last.end) / ArchiveMember.blockSize)
        fields.append(varint: (member.data - member.start) / ArchiveMember.blockSize)
        if member.kind.isLink { fields.append(counted: member.link) }
        if member.kind.isDevice {
            fields.append(varint: UInt64(member.device.major))
            fields.append(varint: UInt64(member.device.minor))
        }
        last = member
        count += 1
    }

    /// The wanted names and their positions.
    ///
    /// - Parameters:
    ///   - place: how many bytes of the archive the members occupy: a name that is repeated nowhere in their headers is
    ///     no name, so a small column can't stand for endless text.
    ///   - judge: returns nil if a name, which is only valid during the call, is wanted. Otherwise it returns the
    ///     length of a prefix that rules the name out: names with the same prefix are skipped.
    /// - Returns: nil if the column does not contain exactly `count` names.
    package static func names(
        in names: UnsafeRawBufferPointer, count: Int, within place: UInt64 = .max, where judge: (RawSpan) -> Int?
    ) -> [(position: Int, path: [UInt8])]? {
        var (cursor, size, total, passed) = (ByteCursor(names), 0, 0, Int.max)
        var wanted: [(position: Int, path: [UInt8])] = []
        // As long as the longest name so far; allocating an array for each name would take most of the time.
        var name: [UInt8] = []
        let most = min(mostNames, Int(clamping: place))
        for position in 0..<count {
            let (shared, more) = (cursor.varint(), cursor.varint())
            let rest = cursor.slice(more)
            guard !cursor.hasFailed, shared <= UInt64(size), shared + more <= TarHeader.mostExtension else {
                return nil
            }
            size = Int(shared + more)
            total += size
            if total > most { return nil }
            if shared >= passed { continue }
            if size > name.count { name += repeatElement(0, count: size - name.count) }
            name.withUnsafeMutableBytes { name in
                name.extracting(Int(shared)..<size).copyMemory(from: rest)
                let path = name.bytes.extracting(0..<size)
                let telling = judge(path)
                if telling == nil { wanted.append((position, Array(copying: path))) }
                passed = telling ?? .max
            }
        }
        return cursor.isAtEnd ? wanted : nil
    }

    /// Calls `body` with the wanted members.
    ///
    /// - Parameters:
    ///   - wanted: their positions, in order, and names.
    ///   - place: where the first member may begin, and the last one has to end.
    /// - Returns: false if these members, or those before them, are invalid or do not lie one after another.
    package static func visit(
        _ wanted: [(position: Int, path: [UInt8])], in fields: UnsafeRawBufferPointer, count: Int,
        at place: Range<UInt64>, _ body: (ArchiveMember) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        var (cursor, member, next) = (ByteCursor(fields), ArchiveMember(path: [], kind: .file), 0)
        member.data = place.lowerBound
        for position in 0..<count {
            if next == wanted.count { return true }
            guard advance(&member, &cursor, to: place.upperBound) else { return false }
            guard wanted[next].position == position else { continue }
            member.path = wanted[next].path
            // The headers have the name.
            guard UInt64(member.path.count) <= member.data - member.start else { return false }
            next += 1
            try body(member)
        }
        return cursor.isAtEnd
    }

    /// Turns a member into the next one.
    private static func advance(_ member: inout ArchiveMember, _ cursor: inout ByteCursor, to end: UInt64) -> Bool {
        let last = member.end
        member.kind = ArchiveMember.Kind(rawValue: cursor.byte())
        let flags = Flags(rawValue: cursor.byte())
        member.isSparse = flags.contains(.isSparse)
        member.mode = cursor.number32()
        if flags.contains(.hasOwner) {
            member.owner.user = cursor.signed()
            member.owner.group = cursor.signed()
            member.owner.userName = cursor.counted()
            member.owner.groupName = cursor.counted()
        }
        member.modified.seconds &+= cursor.signed()
        member.modified.nanoseconds = flags.contains(.hasNanoseconds) ? cursor.number32() : 0
        member.contentSize = cursor.varint()
        member.storedSize = flags.contains(.hasStoredSize) ? cursor.varint() : member.contentSize
        let (gap, headers) = (cursor.varint(), cursor.varint())
        member.link = member.kind.isLink ? cursor.counted() : []
        member.device = .init()
        if member.kind.isDevice { member.device = .init(major: cursor.number32(), minor: cursor.number32()) }
        // Check the sizes before adding them, because they may be arbitrarily large.
        let most = end / ArchiveMember.blockSize
        guard !cursor.hasFailed, Flags.all.isSuperset(of: flags), gap <= most, headers <= most, headers > 0,
            headers <= ArchiveMember.mostHeaders / ArchiveMember.blockSize, member.storedSize <= end,
            member.contentSize < 1 << 62,
            member.modified.nanoseconds < 1_000_000_000
        else { return false }
        member.start = last + gap * ArchiveMember.blockSize
        member.data = member.start + headers * ArchiveMember.blockSize
        return member.end <= end
    }
}

/// Limits the memory for members: even a small index may list very many.
struct MemberCapacity {
    /// The number of bytes that is always allowed.
    private static let least = 64 << 20

    /// The limit in bytes; nil until it matters how much memory is available.
    private var most: Int?
    /// The number of bytes in use.
    private var taken = 0

    init(_ most: Int?) { self.most = most }

    mutating func take(_ member: ArchiveMember) throws(Failure) {
        // The name is stored twice, in arrays that each have a header.
        taken += 2 * (MemoryLayout<ArchiveMember>.stride + 64 + member.path.count) + member.link.count
        if taken <= most ?? Self.least { return }
        let most = most ?? max(Self.least, Int(clamping: (AvailableMemory.now()?.bytes ?? .max) / 4))
        self.most = most
        if taken > most { throw .archive("more members match than the memory can hold: name fewer") }
    }
}
