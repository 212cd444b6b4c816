/// How a file is read for compression to frames of equal size: by a channel of Dispatch, or by the workers.
package enum ReadingMode: String, CaseIterable, Sendable {
    /// Dispatch reads from the disk. Workers copy from the page cache if each processor has a worker, or a worker is
    /// idle.
    case auto
    /// Dispatch reads one chunk after another: libdispatch does one read or write at a time for all files of a disk.
    case dispatch
    /// Each worker reads the chunk that it compresses next, while others read theirs.
    case workers
}

extension Source {
    /// The foreign format of a file according to its first bytes; nil if they belong to none.
    package var foreignFormat: ForeignFormat? {
        // The end of a remote file has come already; what has a seek table there is Zstandard, without another request.
        if ranges != nil, endsInSeekTable { return nil }
        guard isRandomAccess, let magic = try? bytes(at: 0, count: ForeignFormat.magicSize) else { return nil }
        return ForeignFormat(magic: magic)
    }

    /// Whether the last bytes are those of a seek table, whatever it lists.
    var endsInSeekTable: Bool {
        guard let size, size > UInt64(SeekTable.footerSize),
            let footer = try? bytes(at: size - UInt64(SeekTable.footerSize), count: SeekTable.footerSize)
        else { return false }
        return SeekTable.encodedSize(footer: footer.span.bytes) != nil
    }

    /// - Throws: `foreign` for a file in another known format, which has no frames that could be listed.
    func refuseForeign() throws(Failure) {
        if let format = foreignFormat { throw .foreign(format.isRead ? .notListed(format) : .notRead(format)) }
    }

    /// The window that a frame of a file asks for, in bytes; `UInt64.max` if no frame can be read there.
    func windowSize(ofFrameAt offset: UInt64) -> UInt64 {
        let count = Int(min(UInt64(FrameHeader.mostBytes), (size ?? 0) - min(size ?? 0, offset)))
        guard let start = try? bytes(at: offset, count: count) else { return .max }
        return FrameHeader(ofFrame: start.span.bytes)?.windowSize ?? .max
    }
}

extension Source {
    /// Bytes at the start and at the end of the file that identify it.
    private static let sampleSize: UInt64 = 64 << 10

    /// Identifies the file for its parts.
    ///
    /// Reads only the ends of the content. Any other change shows in the time of modification.
    ///
    /// - Throws: `reading`, `sourceShrank`, `sizeUnknown`.
    func origin() throws(Failure) -> PartTrailer.Origin {
        let size = try knownSize()
        let count = min(size, Self.sampleSize)
        let checksums = (first: try checksum(at: 0, count), last: try checksum(at: size - count, count))
        let (seconds, nanoseconds) = identity.modified
        return PartTrailer.Origin(size: size, seconds: seconds, nanoseconds: nanoseconds, checksums: checksums)
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
