extension CompressedFile {
    /// Decodes the content of a member that is a file. Its headers in the content have to be what it says.
    ///
    /// - Throws: `archive` if they are not, or if it is no file, or one with holes; `tooLargeToHold`; as `read(at:count:)`.
    public func read(_ member: ArchiveMember) throws(Failure) -> [UInt8] {
        guard member.kind.isFile, !member.isSparse else {
            throw .archive("\(member.path.printable) is no file without holes")
        }
        guard member.start < member.data, member.data - member.start <= ArchiveMember.mostHeaders,
            member.data <= contentSize, member.size <= contentSize - member.data
        else { throw .damagedArchive("its index describes another member there", at: member.start) }
        guard let count = Int(exactly: member.size) else { throw .tooLargeToHold(limit: UInt64(Int.max)) }
        try member.prove(try read(at: member.start, count: Int(member.data - member.start)))
        return try read(at: member.data, count: count)
    }
}
