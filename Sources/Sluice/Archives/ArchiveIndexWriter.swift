/// Makes the index of an archive, a block of members at a time, so that only compressed blocks are held.
package struct ArchiveIndexWriter: Sendable {
    /// A block ends after this many members, or bytes.
    private static let block = (members: 2 << 10, bytes: 1 << 20, names: 16 << 20)
    private static let level = 2

    private var columns = MemberColumns(at: 0)
    private var names = BloomFilter()
    /// What the frame has of the blocks so far: their list, their filters, and their columns.
    private var (blocks, filters, bytes) = ([UInt8](), [UInt8](), [UInt8]())

    /// Whether the archive goes on behind the last member in a way that can't be followed.
    var isPartial = false
    /// Whether it has no member.
    var isEmpty: Bool { columns.count == 0 && blocks.isEmpty }

    package init() {}

    /// About the most bytes that an index takes while it is made: some for each member, and its last block.
    static func memory(archive size: Int) -> Int { (4 << 20) + size / 1024 }

    /// Adds a member, which lies after the last one.
    package mutating func append(_ member: ArchiveMember) throws(Failure) {
        columns.append(member)
        names.append(member.path)
        let bytes = columns.names.count + columns.fields.count
        let isFull = columns.count >= Self.block.members || bytes >= Self.block.bytes
        if isFull || columns.nameBytes >= Self.block.names { try endBlock() }
    }

    /// The whole skippable frame (docs/format.md, "Index of members").
    ///
    /// - Parameters:
    ///   - contentSize: bytes of the archive, with what follows its last member.
    ///   - checkpoints: the checksums of all checkpoints, or none.
    /// - Throws: `archive` if the last member is cut, or no index can hold so many.
    package mutating func finish(contentSize: UInt64, _ checkpoints: [UInt32] = []) throws(Failure) -> [UInt8] {
        if columns.end > contentSize { throw .cutArchive(at: contentSize) }
        if columns.count > 0 { try endBlock() }
        let size = ArchiveIndex.headSize + blocks.count + filters.count + 4 * checkpoints.count + 4 + bytes.count
        if size > ArchiveIndex.mostBytes { throw .archive("it has too many members for an index") }
        var frame = [UInt8](skippable: ArchiveIndex.magic, size: size)
        frame += StreamHeader.name + [ArchiveIndex.version]
        frame.append((checkpoints.isEmpty ? 0 : ArchiveIndex.hasCheckpoints) | (isPartial ? ArchiveIndex.isPartial : 0))
        frame.appendLittleEndian(contentSize)
        frame.appendLittleEndian(UInt32(blocks.count / ArchiveIndex.blockSize))
        frame.appendLittleEndian(UInt32(filters.count))
        frame += blocks
        frame += filters
        for checkpoint in checkpoints { frame.appendLittleEndian(checkpoint) }
        frame.appendLittleEndian(contentChecksum(frame[FrameFormat.skippableHeaderSize...]))
        return frame + bytes
    }

    private mutating func endBlock() throws(Failure) {
        let stored = try columns.names.compressed(level: Self.level)
        let fields = try columns.fields.compressed(level: Self.level)
        let filter = names.bytes
        blocks.appendLittleEndian(UInt32(columns.count))
        blocks.appendLittleEndian(columns.end)
        for size in [columns.names.count, stored.count, columns.fields.count, fields.count, filter.count] {
            blocks.appendLittleEndian(UInt32(size))
        }
        filters += filter
        bytes += stored
        bytes += fields
        (columns, names) = (MemberColumns(at: columns.end), BloomFilter())
    }
}

extension [UInt8] {
    /// One frame of these bytes, with a checksum.
    func compressed(level: Int) throws(Failure) -> [UInt8] {
        let frame = try OutputBuffer(capacity: CompressionOptions.bound(count))
        let memory = frame.memory
        var compressor = try codec(Compressor(CompressionOptions(level: level)))
        let size = try span.bytes.withUnsafeBytes { content throws(Failure) in
            try codec(compressor.compress(content, into: memory))
        }
        return Array(memory[..<size])
    }
}
