internal import ZstdCodec

extension Source {
    /// Bytes of its start and its end that its parts know it by.
    private static let sampleSize: UInt64 = 64 << 10

    /// By what the parts of a file know that it is the same.
    ///
    /// Of its content only the ends are read. Whatever else changes, changes the time of its modification.
    ///
    /// - Throws: `reading`, `sourceShrank`, `sizeUnknown`.
    func origin() throws(Failure) -> PartCard.Origin {
        let size = try knownSize()
        let count = min(size, Self.sampleSize)
        let checksums = (first: try checksum(at: 0, count), last: try checksum(at: size - count, count))
        let (seconds, nanoseconds) = identity.modified
        return PartCard.Origin(size: size, seconds: seconds, nanoseconds: nanoseconds, checksums: checksums)
    }

    /// Bytes of the file.
    ///
    /// - Throws: `sizeUnknown` for what is no file, or has more bytes than it says, as the files in /proc do.
    func knownSize() throws(Failure) -> UInt64 {
        if let size { return size }
        guard isFile, try bytes(at: 0, count: 1) == nil else { throw .sizeUnknown }
        return 0
    }

    private func checksum(at offset: UInt64, _ count: UInt64) throws(Failure) -> UInt32 {
        guard let sample = try bytes(at: offset, count: Int(count)) else {
            throw .sourceShrank(expected: size ?? 0, read: offset)
        }
        return try codec { () throws(CodecFailure) in try contentChecksum(sample) }
    }
}
