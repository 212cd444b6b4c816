package import ByteStreams
internal import ZstdCodec

/// Builds the index of an archive one block of members at a time, so that only compressed blocks are kept in memory.
package struct ArchiveIndexWriter: Sendable {
    /// A block ends after this many members, bytes of columns, or bytes of names.
    private static let block = (members: 2 << 10, bytes: 1 << 20, names: 16 << 20)
    private static let level = 2

    private var columns = MemberColumns(at: 0)
    /// The end of the last block in the archive.
    private var lastEnd: UInt64 = 0
    private var names = BloomFilter()
    /// The parts of the frame for the blocks so far: their list, their filters, and their columns.
    private var (blocks, filters, bytes) = ([UInt8](), [UInt8](), [UInt8]())

    /// The largest size of the frame in bytes.
    private let mostBytes: Int
    /// Whether the archive continues after the last member, in a way that can't be parsed or with more members than an
    /// index can hold.
    package var isPartial = false
    /// Whether it accepts no more members.
    package private(set) var isFull = false
    /// Whether it has no members.
    package var isEmpty: Bool { columns.count == 0 && blocks.isEmpty }

    package init(mostBytes: Int = ArchiveIndex.mostBytes) { self.mostBytes = mostBytes }

    /// The end of the last member in the archive.
    package var end: UInt64 { columns.end }

    /// The approximate upper bound of the memory for building an index in bytes: some for each member, and the last
    /// block.
    package static func memory(archive size: Int) -> Int { (4 << 20) + size / 1024 }

    /// Adds a member, which must lie after the last one, unless the index is full.
    package mutating func append(_ member: ArchiveMember) throws(Failure) {
        if isFull { return }
        columns.append(member)
        names.append(member.path)
        let bytes = columns.names.count + columns.fields.count
        let isBlockFull = columns.count >= Self.block.members || bytes >= Self.block.bytes
        if isBlockFull || columns.nameBytes >= Self.block.names { try endBlock() }
    }

    /// The whole skippable frame (docs/format.md, "Index of members").
    ///
    /// - Parameters:
    ///   - contentSize: the size of the archive in bytes, including what follows its last member.
    ///   - checkpoints: the checksums at all checkpoints, or none.
    /// - Throws: `archive` if the last member is truncated.
    package mutating func finish(contentSize: UInt64, _ checkpoints: [UInt32] = []) throws(Failure) -> [UInt8] {
        if columns.end > contentSize { throw .cutArchive(at: contentSize) }
        if columns.count > 0 { try endBlock() }
        // In an index that is nearly full, members are more important than checkpoints.
        let checkpoints = size + 4 * checkpoints.count <= mostBytes ? checkpoints : []
        let size = size + 4 * checkpoints.count
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

    /// The size of the frame so far in bytes, without checkpoints.
    private var size: Int { ArchiveIndex.headSize + blocks.count + filters.count + 4 + bytes.count }

    private mutating func endBlock() throws(Failure) {
        let stored = try columns.names.compressed(level: Self.level)
        let fields = try columns.fields.compressed(level: Self.level)
        let filter = names.bytes
        if size + ArchiveIndex.blockSize + filter.count + stored.count + fields.count > mostBytes {
            (isFull, isPartial) = (true, true)
            (columns, names) = (MemberColumns(at: lastEnd), BloomFilter())
            return
        }
        lastEnd = columns.end
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
    /// These bytes as one frame with a checksum.
    package func compressed(level: Int) throws(Failure) -> [UInt8] {
        let frame = try OutputBuffer(capacity: CompressionOptions.bound(count))
        let memory = frame.memory
        // With a valid level, and room for the result, only memory can be missing.
        do {
            var compressor = try Compressor(CompressionOptions(level: level))
            let size = try compressor.compress(span.bytes, into: memory)
            return Array(memory[..<size])
        } catch { throw .outOfMemory }
    }
}
