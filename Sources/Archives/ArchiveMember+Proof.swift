package import ByteStreams

extension ArchiveMember {
    /// The most bytes of the headers of one member.
    package static let mostHeaders: UInt64 = 16 << 20

    /// Compares it with the headers in the archive.
    ///
    /// - Parameter headers: the bytes from its start up to its data.
    /// - Returns: where it has data, if it is sparse.
    /// - Throws: `archive` if they are the headers of another member, or of none.
    @discardableResult package func prove(_ headers: [UInt8]) throws(Failure) -> SparseMap? {
        var (scanner, found) = (TarScanner(at: start), ArchiveMember?.none)
        try headers.span.bytes.withUnsafeBytes { headers throws(Failure) in
            var rest = headers
            found = try scanner.next(in: &rest)
        }
        guard found == self else { throw .damagedArchive("its index describes another member there", at: start) }
        return isSparse ? scanner.sparseMap : nil
    }
}
