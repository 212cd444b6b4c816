internal import Glibc
internal import Sluice
internal import SluiceEngine
internal import SystemPackage

extension Subject {
    /// A tar archive has the same members in whatever pieces it comes, and its index has them too.
    package static let archive = Subject("archive") { input in
        var bytes = input
        let piece = 1 + Int(bytes.takeNumber(UInt8.self)) * 3
        let whole = scanned(bytes, piece: max(1, bytes.count))
        try promise(scanned(bytes, piece: piece) == whole, "in pieces of \(piece) bytes it has other members")
        var end: UInt64 = 0
        for member in whole.members {
            try promise(member.start >= end, "a member begins within the one before")
            try promise(member.data > member.start && member.end >= member.data, "a member is nowhere")
            end = member.end
        }
        guard whole.isWhole else { return }
        try promise(end <= UInt64(bytes.count), "a member of a whole archive is cut")
        var writer = ArchiveIndexWriter()
        for member in whole.members { try writer.append(member) }
        let index = ArchiveIndex(try writer.finish(contentSize: UInt64(bytes.count)))
        var listed: [ArchiveMember] = []
        try index?.visit { listed.append($0) }
        try promise(index != nil && listed == whole.members, "its index has other members")
        if let index, let last = listed.last { try search(for: last.path, in: index, with: listed) }
        if let member = whole.members.last(where: \.kind.isFile) { try extract(member, from: bytes) }
    }

    /// A search that reads only some blocks of an index finds what one of all finds.
    private static func search(for name: [UInt8], in index: ArchiveIndex, with members: [ArchiveMember]) throws {
        for text in [name, Array(name.prefix(name.count / 2)), name.prefix(name.count - 1) + [UInt8(ascii: "*")]] {
            let pattern = MemberPattern(text)
            var found: [ArchiveMember] = []
            try index.visit(having: pattern.key.map { [$0] }, where: pattern.judge) { found.append($0) }
            let matching = members.filter { pattern.matches($0.path.span.bytes) }
            try promise(found == matching, "a search of some blocks passes over a name that matches")
        }
    }

    /// A file comes out of the compressed archive as it is in it, or there is an error.
    private static func extract(_ member: ArchiveMember, from archive: ArraySlice<UInt8>) throws {
        let source = try MemoryFile(archive)
        let packed = try MemoryFile()
        let sink = try MemoryFile()
        let compression = Compression(level: 1, frameSize: 1 << 12)
        _ = try Job(ArchiveCompression(compression), threads: 2).run(
            from: Source(source.descriptor), to: Sink(packed.descriptor))
        try packed.descriptor.seek(offset: 0, from: .start)
        let file = try CompressedFile(packed.descriptor)
        let read = member.contentSize <= UInt64(mostContent) ? try? file.read(member) : nil
        if !member.isSparse {
            let range = Int(member.data)..<Int(member.data + member.contentSize)
            try promise(read == Array(archive.dropFirst(range.lowerBound).prefix(range.count)), "a file is another one")
        }
        guard let read else { return }
        try promise(UInt64(read.count) == member.contentSize, "a file has another size")
        let selection = MemberSelection([MemberPattern(member.path)], asArchive: false)
        let job = Job(MemberExtraction(selection), threads: 2)
        let isWritten = (try? job.run(from: Source(packed.descriptor), to: Sink(sink.descriptor))) != nil
        let short = try MemoryFile()
        try packed.descriptor.seek(offset: 0, from: .start)
        var whole = try Source(packed.descriptor)
        guard try job.runWhole(from: &whole, to: Sink(short.descriptor), latch: FailureLatch()) != nil else { return }
        try promise(isWritten, "what a run refuses is written without one")
        try promise(try short.content == sink.content, "without a run a member is another one")
    }

    /// What claims to be an index of members lists members that may be one behind the other, or nothing.
    package static let members = Subject("members") { input in
        var bytes = input
        try check(ArchiveIndex(Array(bytes)), size: .max)
        let (count, end) = (Int(bytes.takeNumber(UInt8.self)), bytes.takeNumber(UInt64.self))
        let names = bytes.take(Int(bytes.takeNumber(UInt16.self)))
        let fields = Array(bytes)
        try search(names, count: count)
        var last: UInt64 = 0
        var areApart = true
        let size = end & (1 << 62 - 1)
        let all = (0..<count).map { (position: $0, path: [UInt8]()) }
        let areMembers = try fields.withUnsafeBytes { fields in
            try MemberColumns.visit(all, in: fields, count: count, at: 0..<size) { member in
                areApart = areApart && member.start >= last && member.data > member.start && member.end <= size
                last = member.end
            }
        }
        try promise(!areMembers || areApart, "a member lies within another one, or outside of the archive")
    }

    /// Names that a search passes over are none that match.
    private static func search(_ column: some Collection<UInt8>, count: Int) throws {
        let column = Array(column)
        for pattern in [MemberPattern(Array(column.prefix(3))), MemberPattern(Array(column.suffix(4)))] {
            var (all, found) = ([[UInt8]](), [[UInt8]]())
            _ = column.withUnsafeBytes { names in
                MemberColumns.names(in: names, count: count) { name in
                    if pattern.matches(name) { all.append(Array(copying: name)) }
                    return .max
                }
            }
            _ = column.withUnsafeBytes { names in
                MemberColumns.names(in: names, count: count) { name in
                    let telling = pattern.judge(name)
                    if telling == nil { found.append(Array(copying: name)) }
                    return telling
                }
            }
            try promise(all == found, "a search passes over a name that matches")
        }
    }

    private static func check(_ index: ArchiveIndex?, size: UInt64) throws {
        guard let index else { return }
        var last: UInt64 = 0
        var areApart = true
        try? index.visit { member in
            areApart = areApart && member.start >= last && member.end <= index.contentSize
            last = member.end
        }
        try promise(areApart, "a member lies within another one, or outside of the archive")
    }

    private struct Scanned: Equatable {
        var members: [ArchiveMember] = []
        var isWhole = false
    }

    private static func scanned(_ bytes: ArraySlice<UInt8>, piece: Int) -> Scanned {
        var (scanner, scanned, rest) = (TarScanner(), Scanned(), bytes)
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            var left = part.span.bytes
            do throws(Failure) {
                while let member = try scanner.next(in: &left) { scanned.members.append(member) }
            } catch { return scanned }
        }
        scanned.isWhole = (try? scanner.finish()) != nil
        return scanned
    }
}
