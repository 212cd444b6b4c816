extension Source {
    /// The index of members that a compressed file has in front of its seek table.
    ///
    /// - Returns: nil if there is none: that of an archive to which something was added does not end the file.
    /// - Throws: `archive` if it is damaged, `reading`.
    func archiveIndex() throws(Failure) -> ArchiveIndex? {
        guard let (table, _) = try seekTable() else { return nil }
        var end = table.compressedSize
        // What fills gaps may follow it.
        for entry in table.entries.reversed().prefix(while: { $0.decompressedSize == 0 }) {
            let size = UInt64(entry.compressedSize)
            guard size <= end else { return nil }
            end -= size
            guard size <= ArchiveIndex.mostBytes,
                let head = try bytes(at: end, count: Int(min(size, 16))), ArchiveIndex.begins(with: head)
            else { continue }
            guard let index = try ArchiveIndex(in: subrange(end..<end + size)),
                index.contentSize == table.decompressedSize
            else { throw ArchiveIndex.damage }
            return index
        }
        return nil
    }
}
