package import ByteStreams
internal import ZstdCodec

/// Follows the headers of a tar archive, without the data of members, over bytes that arrive in pieces of any size.
///
/// It is strict: input that GNU tar, bsdtar and Python's tarfile would read in different ways is an error, after which
/// nothing is known about the archive. Consecutive archives count as one, as with `tar -i`. Bytes after zero blocks
/// that are not a header do not belong to the archive.
package struct TarScanner: Sendable {
    private enum State {
        case header
        /// The content of a header that precedes the member's own, in bytes.
        case content(flag: UInt8, size: UInt64)
        /// Blocks of GNU's map of holes.
        case holes(ArchiveMember)
    }

    private static let blockSize = Int(ArchiveMember.blockSize)

    /// The offset of the next byte in the archive.
    package private(set) var offset: UInt64
    /// The number of data bytes to skip.
    package private(set) var bytesToSkip: UInt64 = 0
    private var state = State.header
    /// A block, or the blocks of some content, of which the rest is still missing.
    private var blocks: [UInt8] = []
    /// The content of headers that precede the next member's own.
    private var extensions: TarExtensions?
    /// The start of the next member's headers; nil if none have come yet.
    private var start: UInt64?
    /// The first byte of headers that are not complete; the next byte if there are none.
    package var unparsed: UInt64 { start ?? offset - UInt64(blocks.count) }
    /// The extents of data of the last member, if it is sparse.
    private(set) var sparseMap: SparseMap?
    private var lastOwner: ArchiveMember.Owner?
    private var hasBegun = false
    /// Whether the last block was all zeros.
    private var isAfterZeros = false
    /// Whether the bytes that follow do not belong to the archive.
    package private(set) var isOver = false

    /// - Parameter offset: the offset of the first byte, which begins a member.
    package init(at offset: UInt64 = 0) { self.offset = offset }

    /// The size of the next block, or of all blocks of some content, in bytes.
    private var blocksSize: Int {
        if case .content(_, let size) = state { Int(ArchiveMember.padded(size)) } else { Self.blockSize }
    }

    /// The start of the last block that was parsed.
    private var place: UInt64 { offset - UInt64(Self.blockSize) }

    /// Scans up to the end of a member's headers.
    ///
    /// - Parameter bytes: the next bytes of the archive; on return, those not scanned yet.
    /// - Returns: the member; nil when all bytes have been scanned.
    /// - Throws: `archive`.
    package mutating func next(in bytes: inout RawSpan) throws(Failure) -> ArchiveMember? {
        while !bytes.isEmpty {
            let isData = bytesToSkip > 0 || isOver
            let wanted = isData ? (isOver ? .max : bytesToSkip) : UInt64(blocksSize - blocks.count)
            let part = bytes.extracting(first: Int(clamping: wanted))
            bytes = bytes.extracting(part.byteCount...)
            if isData { skip(part.byteCount) } else if let member = try take(part: part) { return member }
        }
        return nil
    }

    /// Parses a block, or the blocks of some content, or a part of these that does not extend beyond their end.
    private mutating func take(part: RawSpan) throws(Failure) -> ArchiveMember? {
        offset += UInt64(part.byteCount)
        let size = blocksSize
        // Parse complete blocks in place; only pieces are copied.
        if part.byteCount == size { return try take(part) }
        blocks.append(copying: part)
        if blocks.count < size { return nil }
        let whole = blocks
        blocks = []
        return try take(whole.span.bytes)
    }

    /// Skips data, at most `bytesToSkip` bytes.
    package mutating func skip(_ count: Int) {
        bytesToSkip -= min(bytesToSkip, UInt64(count))
        offset += UInt64(count)
    }

    /// - Throws: `archive` if the archive does not end here.
    package func finish() throws(Failure) {
        if !hasBegun { throw .noArchive }
        // Anything after zeros, even part of a block, does not belong to the archive.
        if isAfterZeros { return }
        guard case .header = state, start == nil, blocks.isEmpty, bytesToSkip == 0 else {
            throw .cutArchive(at: offset)
        }
    }

    /// Parses a complete block, or all blocks of some content.
    private mutating func take(_ blocks: RawSpan) throws(Failure) -> ArchiveMember? {
        switch state {
        case .header: return try blocks.withUnsafeBytes { block throws(Failure) in try takeHeader(block) }
        case .content(let flag, let size):
            state = .header
            let flaw = extensions?.take(Array(copying: blocks.extracting(first: Int(size))), of: flag)
            if let flaw { throw .damagedArchive(flaw, at: place) }
            return nil
        case .holes(let member):
            // GNU tar, `struct sparse_header`: 21 entries, then a byte that tells whether another block follows.
            if blocks.withUnsafeBytes({ sparseMap?.take(block: $0, at: 0, count: 21) }) != true {
                throw .damagedArchive("the map of a sparse file is invalid", at: place)
            }
            return try blocks[504] != 0 ? nil : end(member)
        }
    }

    private mutating func takeHeader(_ block: UnsafeRawBufferPointer) throws(Failure) -> ArchiveMember? {
        if block.bytes.areZeros {
            if extensions?.areOfMember == true {
                throw .damagedArchive("no member follows its extended header", at: place)
            }
            // For an empty tree, `git archive` writes only a global header.
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
        // A member starts at the first header that precedes its own.
        start = start ?? place
        switch header.flag {
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "g"), UInt8(ascii: "L"), UInt8(ascii: "K"):
            if size > TarHeader.mostExtension { throw .damagedArchive("an extended header is too large", at: place) }
            extensions = extensions ?? TarExtensions()
            extensions?.begin(header.flag)
            state = .content(flag: header.flag, size: size)
            return try size > 0 ? nil : take(RawSpan())
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
        // Before directories had their own type, their names ended in a slash.
        if member.kind == .file, member.path.last == UInt8(ascii: "/") { member.kind = .directory }
        switch member.kind {
        // Like tar, ignore a size in the header of a hard link, but honour one in an extended header.
        case .hardLink where extensions?.size ?? 0 == 0: (member.contentSize, member.storedSize) = (0, 0)
        // In POSIX, this size is how much may be stored in the directory.
        case .directory where header.isDirectory && extensions?.size == nil: member.storedSize = 0
        case .hardLink, .symbolicLink, .characterDevice, .blockDevice, .directory, .pipe:
            // Some programs would skip the data, others would read headers there.
            if size > 0 { throw .damagedArchive("a member without data has a size", at: place) }
        default: break
        }
        if !isOldSparse || !header.hasMoreHoles { return try end(consume member) }
        state = .holes(consume member)
        return nil
    }

    /// Completes a member whose last header block was just parsed.
    private mutating func end(_ member: consuming ArchiveMember) throws(Failure) -> ArchiveMember {
        (member.start, member.data) = (start ?? place, offset)
        // With these limits, later sums of offsets and sizes can't overflow.
        guard max(member.contentSize, member.storedSize) < UInt64(Int64.max) - (1 << 40), offset < 1 << 62,
            offset - member.start <= ArchiveMember.mostHeaders
        else { throw .damagedArchive("a member or its headers are too large", at: place) }
        bytesToSkip = ArchiveMember.padded(member.storedSize)
        (state, start, extensions) = (.header, nil, nil)
        return member
    }
}
