extension Source {
    /// Bytes at the start and at the end of the file that identify it.
    private static let sampleSize: UInt64 = 64 << 10

    /// Identifies the file for its parts.
    ///
    /// Reads only the ends of the content. Any other change shows in the time of modification.
    ///
    /// - Throws: `reading`, `sourceShrank`, `sizeUnknown`.
    func origin() throws(Failure) -> PartCard.Origin {
        let size = try knownSize()
        let count = min(size, Self.sampleSize)
        let checksums = (first: try checksum(at: 0, count), last: try checksum(at: size - count, count))
        let (seconds, nanoseconds) = identity.modified
        return PartCard.Origin(size: size, seconds: seconds, nanoseconds: nanoseconds, checksums: checksums)
    }

    /// The size of the file.
    ///
    /// - Throws: `sizeUnknown` for a stream, or a file with more bytes than its size, as in /proc.
    func knownSize() throws(Failure) -> UInt64 {
        if let size { return size }
        guard isFile, try bytes(at: 0, count: 1) == nil else { throw .sizeUnknown }
        return 0
    }

    private func checksum(at offset: UInt64, _ count: UInt64) throws(Failure) -> UInt32 {
        guard let sample = try bytes(at: offset, count: Int(count)) else {
            throw .sourceShrank(expected: size ?? 0, read: offset)
        }
        return contentChecksum(sample[...])
    }
}
