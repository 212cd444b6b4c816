/// What a few bytes say about an input, before it is read.
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

    /// The size of the file.
    ///
    /// - Throws: `sizeUnknown` for a stream, or a file with more bytes than its size, as in /proc.
    func knownSize() throws(Failure) -> UInt64 {
        if let size { return size }
        guard isFile, try bytes(at: 0, count: 1) == nil else { throw .sizeUnknown }
        return 0
    }
}
