extension SeekTable {
    /// The frames of a file to which more are added, with skippable ones, but without the seek table at its end. They
    /// are found by their headers, as for a `Listing`, and not decoded.
    ///
    /// - Throws: `reading`; `codec` if the file is truncated, or not compressed; `unlisted`, `severalStreams`.
    init(ofFramesIn source: Source) throws(Failure) {
        if source.size == nil {
            self.init(hasChecksums: true)
            return
        }
        try source.refuseForeign()
        if try Listing(bySeekTableOf: source, places: .max) != nil, let (table, _) = try source.seekTable() {
            self = table
        } else {
            try self.init(byHeadersOf: source)
        }
    }

    private init(byHeadersOf source: Source) throws(Failure) {
        var (entries, haveChecksums, table) = ([Entry](), true, UInt64?.none)
        var (walk, audit) = (try FrameWalk(over: source), SeekTableAudit())
        while let frame = try walk.nextWhole() {
            if let table {
                throw .severalStreams("the seek table at byte \(table) ends the first of them", offset: table)
            }
            try codec(audit.note(frame))
            switch frame.annotation {
            case .seekTable:
                table = frame.offset
                continue
            // The header stands behind the first frame of a stream.
            case .streamHeader where entries.count != 1:
                let header = frame.offset
                throw .severalStreams("the header at byte \(header) is of a later one", offset: header)
            default: break
            }
            guard let entry = Entry(frame) else { throw .unlisted(offset: frame.offset) }
            haveChecksums = haveChecksums && frame.header?.hasChecksum != false
            entries.append(entry)
        }
        let end = walk.end
        try codec(audit.finish(at: end))
        // More frames would come behind them.
        if let size = source.size, end < size { throw .codec(.trailingZeros(offset: end)) }
        self.init(hasChecksums: haveChecksums)
        for entry in entries { append(entry) }
    }
}

extension SeekTable.Entry {
    /// Nil for a frame that no table can list.
    fileprivate init?(_ frame: FrameScanner.Frame) {
        guard let content = frame.contentSize, content <= SeekTable.maximumFrameSize,
            let content = UInt32(exactly: content), let size = UInt32(exactly: frame.compressedSize)
        else { return nil }
        let checksum = frame.header == nil ? SeekTable.checksumOfNothing : frame.checksum ?? 0
        self.init(compressedSize: size, decompressedSize: content, checksum: checksum)
    }
}
