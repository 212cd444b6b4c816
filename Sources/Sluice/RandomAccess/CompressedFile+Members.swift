extension CompressedFile {
    /// The most bytes of a sparse file, whose holes take none in the archive.
    private static let mostSparse: UInt64 = 1 << 30

    /// Decodes the content of a member that is a file. Its headers in the archive have to be what it says.
    ///
    /// - Parameter member: one of ``members``.
    /// - Returns: the content, with zeros for holes.
    /// - Throws: `archive` if the headers differ, or if the member is no file; `tooLarge` if it is sparse and has more
    ///   than 1 GiB; as `read(_:)` of a range.
    public func read(_ member: ArchiveMember) throws(Failure) -> [UInt8] {
        guard member.kind.isFile else { throw .archive("\(member.path.printable) is not a file") }
        guard member.start < member.data, member.data - member.start <= ArchiveMember.mostHeaders,
            member.data <= UInt64(contentSize), member.storedSize <= UInt64(contentSize) - member.data
        else { throw .damagedArchive("its index describes another member there", at: member.start) }
        let (start, data) = (Int(member.start), Int(member.data))
        let stored = data..<data + Int(member.storedSize)
        guard let map = try member.prove(try read(start..<data)) else { return try read(stored) }
        if member.contentSize > Self.mostSparse { throw .tooLargeToHold(limit: Self.mostSparse) }
        var sparse = try SparseContent(member, map)
        var content = try sparse.take(Bytes(try read(stored)))
        content.append(try sparse.finish())
        return content.elements
    }
}
