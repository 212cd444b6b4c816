package import ByteStreams

/// Follows a tar archive by the headers of its members, without their data, over bytes that come in any pieces.
///
/// It is strict: what GNU tar, bsdtar and Python's tarfile would read in different ways is an error, after which
/// nothing is known of the archive. Archives one
/// after the other are one, as with `tar -i`; what follows zero blocks, and is no header, does not belong to it.
package struct TarScanner: Sendable {
    private enum State {
        case header
        /// Content of a header in front of the member's own, in bytes.
        case content(flag: UInt8, size: UInt64)
        /// Blocks of GNU's map of holes.
        case holes(ArchiveMember)
    }

    private static let blockSize = Int(ArchiveMember.blockSize)

    /// Where the next byte lies in the archive.
    package private(set) var offset: UInt64
    /// Bytes of data that need not be scanned.
    package private(set) var bytesToSkip: UInt64 = 0
    private var state = State.header
    /// A block, or the blocks of content, that have not come whole yet.
    private var blocks: [UInt8] = []
    /// What headers in front of the next member's own have said.
    private var extensions: TarExtensions?
    /// Where the headers of the next member begin, if some have come.
    private var start: UInt64?
    /// Where the member whose headers came last has data, if it is sparse.
    private(set) var sparseMap: SparseMap?
    private var lastOwner: ArchiveMember.Owner?
    private var hasBegun = false
    /// Whether the last block was zero.
    private var isAfterZeros = false
    /// Whether what follows is no part of the archive.
    package private(set) var isOver = false

    /// - Parameter offset: where the first byte lies, which begins a member.
    package init(at offset: UInt64 = 0) { self.offset = offset }

    /// Bytes of the block that comes next, or of all blocks of content.
    private var blocksSize: Int {
        if case .content(_, let size) = state { Int(ArchiveMember.padded(size)) } else { Self.blockSize }
    }

    /// Where the last block that was taken begins.
    private var place: UInt64 { offset - UInt64(Self.blockSize) }

    /// Scans up to where the headers of a member end.
    ///
    /// - Parameter bytes: those that come next in the archive; afterwards, those that were not scanned.
    /// - Returns: the member; nil when all bytes are scanned.
    /// - Throws: `archive`.
    package mutating func next(in bytes: inout UnsafeRawBufferPointer) throws(Failure) -> ArchiveMember? {
        while !bytes.isEmpty {
            let isData = bytesToSkip > 0 || isOver
            let wanted = isData ? (isOver ? .max : bytesToSkip) : UInt64(blocksSize - blocks.count)
            let part = UnsafeRawBufferPointer(rebasing: bytes[..<Int(min(wanted, UInt64(bytes.count)))])
            bytes = UnsafeRawBufferPointer(rebasing: bytes[part.count...])
            if isData { skip(part.count) } else if let member = try take(part: part) { return member }
        }
        return nil
    }

    /// Takes a block, or the blocks of content, or a part of these that goes no further than their end.
    private mutating func take(part: UnsafeRawBufferPointer) throws(Failure) -> ArchiveMember? {
        offset += UInt64(part.count)
        let size = blocksSize
        if part.count == size { return try take(part) }
        blocks += part
        if blocks.count < size { return nil }
        let whole = blocks
        blocks = []
        return try whole.span.bytes.withUnsafeBytes { whole throws(Failure) in try take(whole) }
    }

    /// Passes over data, at most `bytesToSkip` bytes.
    package mutating func skip(_ count: Int) {
        bytesToSkip -= min(bytesToSkip, UInt64(count))
        offset += UInt64(count)
    }

    /// - Throws: `archive` if the archive does not end here.
    package func finish() throws(Failure) {
        if !hasBegun { throw .noArchive }
        // Whatever follows zeros, a part of a block too, does not belong to it.
        if isAfterZeros { return }
        guard case .header = state, start == nil, blocks.isEmpty, bytesToSkip == 0 else {
            throw .cutArchive(at: offset)
        }
    }

    /// Takes a whole block, or all blocks of content.
    private mutating func take(_ blocks: UnsafeRawBufferPointer) throws(Failure) -> ArchiveMember? {
        switch state {
        case .header: return try takeHeader(blocks)
        case .content(let flag, let size):
            state = .header
            let flaw = extensions?.take(Array(blocks.prefix(Int(size))), of: flag)
            if let flaw { throw .damagedArchive(flaw, at: place) }
            return nil
        case .holes(let member):
            // GNU tar, `struct sparse_header`: 21 entries, and a byte after them.
            if sparseMap?.take(block: blocks, at: 0, count: 21) != true {
                throw .damagedArchive("the map of a sparse file is invalid", at: place)
            }
            return try blocks[504] != 0 ? nil : end(member)
        }
    }

    private mutating func takeHeader(_ block: UnsafeRawBufferPointer) throws(Failure) -> ArchiveMember? {
        if block.allSatisfy({ $0 == 0 }) {
            if extensions?.areOfMember == true {
                throw .damagedArchive("no member follows its extended header", at: place)
            }
            // What git archive makes of an empty tree has a global header only.
            (start, extensions) = (nil, nil)
            (hasBegun, isAfterZeros) = (true, true)
            return nil
        }
        guard let header = TarHeader(block) else {
            if isAfterZeros {
                isOver = true
                return nil
            }
            throw hasBegun ? .damagedArchive("no header found", at: place) : .noArchive
        }
        (hasBegun, isAfterZeros) = (true, false)
        guard let size = header.size else { throw .damagedArchive("invalid number in a header", at: place) }
        start = start ?? place
        switch header.flag {
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "g"), UInt8(ascii: "L"), UInt8(ascii: "K"):
            if size > TarHeader.mostExtension { throw .damagedArchive("an extended header is too large", at: place) }
            extensions = extensions ?? TarExtensions()
            extensions?.begin(header.flag)
            state = .content(flag: header.flag, size: size)
            return try size > 0 ? nil : take(UnsafeRawBufferPointer(start: nil, count: 0))
        default: return try member(header, size: size)
        }
    }

    private mutating func member(_ header: TarHeader, size headerSize: UInt64) throws(Failure) -> ArchiveMember? {
        guard var member = header.member(like: lastOwner) else {
            throw .damagedArchive("invalid number in a header", at: place)
        }
        if lastOwner != member.owner { lastOwner = member.owner }
        let size = extensions?.size ?? headerSize
        (member.contentSize, member.storedSize) = (size, size)
        let isOldSparse = header.flag == UInt8(ascii: "S")
        sparseMap = isOldSparse ? header.sparseMap : extensions?.sparseMap
        if isOldSparse {
            guard header.isGNU, let realSize = header.realSize, sparseMap != nil else {
                throw .damagedArchive("a sparse file has no size, or no map", at: place)
            }
            (member.kind, member.isSparse, member.contentSize) = (.file, true, realSize)
        }
        extensions?.apply(to: &member)
        // Before there was a type for directories, their names ended so.
        if member.kind == .file, member.path.last == UInt8(ascii: "/") { member.kind = .directory }
        switch member.kind {
        // As with tar, whatever size its header repeats. One in an extended header counts there.
        case .hardLink where extensions?.size ?? 0 == 0: (member.contentSize, member.storedSize) = (0, 0)
        // POSIX lets it say how much may be stored in the directory.
        case .directory where header.isDirectory && extensions?.size == nil: member.storedSize = 0
        case .hardLink, .symbolicLink, .characterDevice, .blockDevice, .directory, .pipe:
            // Some programs would skip the data, and others read headers there.
            if size > 0 { throw .damagedArchive("a member without data has a size", at: place) }
        default: break
        }
        if !isOldSparse || !header.hasMoreHoles { return try end(consume member) }
        state = .holes(consume member)
        return nil
    }

    /// Ends the headers of a member with the last block.
    private mutating func end(_ member: consuming ArchiveMember) throws(Failure) -> ArchiveMember {
        (member.start, member.data) = (start ?? place, offset)
        guard max(member.contentSize, member.storedSize) < UInt64(Int64.max) - (1 << 40), offset < 1 << 62,
            offset - member.start <= ArchiveMember.mostHeaders
        else { throw .damagedArchive("a member or its headers are too large", at: place) }
        bytesToSkip = ArchiveMember.padded(member.storedSize)
        (state, start, extensions) = (.header, nil, nil)
        return member
    }
}
