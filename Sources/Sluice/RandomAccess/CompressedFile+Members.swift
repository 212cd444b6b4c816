extension CompressedFile {
    /// The most bytes of a sparse file, whose holes take none in the archive.
    private static let mostSparse: UInt64 = 1 << 30

    /// Decodes the content of a member that is a file. Its headers in the content have to be what it says.
    ///
    /// - Throws: `archive` if they are not, or if it is no file; `tooLargeToHold`; as for a range.
    public func read(_ member: ArchiveMember) throws(Failure) -> [UInt8] {
        guard member.kind.isFile else { throw .archive("\(member.path.printable) is no file") }
        let size = UInt64(contentSize)
        guard member.start < member.data, member.data - member.start <= ArchiveMember.mostHeaders,
            member.data <= size, member.storedSize <= size - member.data
        else { throw .damagedArchive("its index describes another member there", at: member.start) }
        let (start, first, end) = (Int(member.start), Int(member.data), Int(member.data + member.storedSize))
        let map = try member.prove(try read(start..<first))
        guard let map else { return try read(first..<end) }
        if member.size > Self.mostSparse { throw .tooLargeToHold(limit: Self.mostSparse) }
        var sparse = try SparseContent(member, map)
        var content = try sparse.take(Bytes(try read(first..<end)))
        content.append(try sparse.finish())
        return content.elements
    }
}
