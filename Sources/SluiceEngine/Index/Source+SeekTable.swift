extension Source {
    /// The seek table at the end of the file, and its bytes, if its sizes add up to the file's.
    ///
    /// - Parameter most: the most bytes that it may have.
    func seekTable(most: UInt64 = .max) throws(Failure) -> (table: SeekTable, encoded: [UInt8])? {
        let footerSize = UInt64(SeekTable.footerSize)
        guard let size, size > footerSize,
            let footer = try bytes(at: size - footerSize, count: Int(footerSize)),
            let tableSize = SeekTable.encodedSize(footer: footer.span.bytes), tableSize < size,
            tableSize <= min(SeekTable.largestHeld, most),
            let encoded = try bytes(at: size - tableSize, count: Int(tableSize)),
            let table = SeekTable(encoded.span.bytes),
            !table.entries.isEmpty, table.compressedSize == size - tableSize
        else { return nil }
        return (table, encoded)
    }
}

extension Source {
    /// The index of members that a compressed file has before its seek table.
    ///
    /// - Returns: nil if there is none, or if content that was added to the archive follows it.
    /// - Throws: `archive` if it is damaged, `reading`.
    package func archiveIndex() throws(Failure) -> ArchiveIndex? {
        guard let (table, _) = try seekTable() else { return nil }
        var end = table.compressedSize
        // Frames that fill gaps may follow it.
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
