/// Makes the index of an archive, a block of members at a time, so that only compressed blocks are held.
package struct ArchiveIndexWriter: Sendable {
    /// A block ends after this many members, or bytes.
    private static let block = (members: 4 << 10, bytes: 1 << 20, names: 16 << 20)
    private static let level = 1

    private var columns = MemberColumns(at: 0)
    private var names = BloomFilter()
    private var blocks: [ArchiveIndex.Block] = []
    private var (filters, bytes) = ([UInt8](), [UInt8]())
    private var end: UInt64 = 0

    package init() {}

    /// About the most bytes that an index takes while it is made: some for each member, and its last block.
    static func memory(archive size: Int) -> Int { (4 << 20) + size / 1024 }

    /// Adds a member, which lies after the last one.
    package mutating func append(_ member: ArchiveMember) throws(Failure) {
        columns.append(member)
        names.append(member.path)
        end = member.end
        let bytes = columns.names.count + columns.fields.count
        let isFull = columns.count >= Self.block.members || bytes >= Self.block.bytes
        if isFull || columns.nameBytes >= Self.block.names { try endBlock() }
    }

    /// The whole skippable frame (docs/format.md, "Index of members").
    ///
    /// - Parameter contentSize: bytes of the archive, with what follows its last member.
    /// - Throws: `archive` if the last member is cut, or no index can hold so many.
    package mutating func finish(contentSize: UInt64) throws(Failure) -> [UInt8] {
        if end > contentSize { throw .cutArchive(at: contentSize) }
        if columns.count > 0 { try endBlock() }
        return try ArchiveIndex.frame(blocks, filters, bytes, contentSize: contentSize)
    }

    private mutating func endBlock() throws(Failure) {
        let stored = try columns.names.compressed(level: Self.level)
        let fields = try columns.fields.compressed(level: Self.level)
        let filter = names.bytes
        blocks.append(
            ArchiveIndex.Block(
                count: columns.count, end: end, names: (columns.names.count, stored.count),
                fields: (columns.fields.count, fields.count), filter: filter.count))
        filters += filter
        bytes += stored
        bytes += fields
        (columns, names) = (MemberColumns(at: end), BloomFilter())
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
