/// The frames of a file to which more are added, as entries of its seek table. They are found by their headers, as for
/// a `Listing`, and not decoded.
struct ExistingFrames {
    /// All frames in order, with skippable ones, but without the seek table at the end.
    private(set) var entries: [SeekTable.Entry] = []
    /// Whether each has a checksum.
    private(set) var hasChecksums = true
    /// Bytes of all frames.
    private(set) var size: UInt64 = 0

    init() {}

    /// - Throws: `reading`; `codec` if the file is truncated, or not compressed; `unlisted`, `severalStreams`.
    init(of source: Source) throws(Failure) {
        if source.size == nil { return }
        if let format = source.foreignFormat { throw .foreign(format.isRead ? .notListed(format) : .notRead(format)) }
        if try Listing(bySeekTableOf: source, places: .max) != nil, let (table, _) = try Listing.table(of: source) {
            (entries, hasChecksums, size) = (table.entries, table.hasChecksums, table.compressedSize)
        } else {
            try readHeaders(of: source)
        }
    }

    private mutating func readHeaders(of source: Source) throws(Failure) {
        var audit = SeekTableAudit()
        var table: UInt64?
        let end = try HeaderWalk.run(over: source) { frame throws(Failure) in
            if let table { throw .severalStreams(offset: table) }
            try codec { () throws(CodecFailure) in try audit.note(frame) }
            if case .seekTable = frame.annotation { table = frame.offset } else { try append(frame) }
        }
        try codec { () throws(CodecFailure) in try audit.finish(at: end) }
        size = table ?? end
    }

    private mutating func append(_ frame: FrameScanner.Frame) throws(Failure) {
        let content = frame.isSkippable ? 0 : frame.header?.contentSize
        guard let content, content <= SeekTable.maximumFrameSize, let content = UInt32(exactly: content),
            let size = UInt32(exactly: frame.compressedSize)
        else { throw .unlisted(offset: frame.offset) }
        var checksum = SeekTable.checksumOfNothing
        if let header = frame.header {
            hasChecksums = hasChecksums && header.hasChecksum
            checksum = frame.checksum ?? 0
        }
        entries.append(SeekTable.Entry(compressedSize: size, decompressedSize: content, checksum: checksum))
    }
}

extension Source {
    /// The content checksum of the frame that ends there; nil if the file ends earlier.
    ///
    /// - Throws: `reading`.
    func checksum(endingAt end: UInt64) throws(Failure) -> UInt32? {
        try bytes(at: end - 4, count: 4).map { UInt32(littleEndianBytes: $0) }
    }
}
