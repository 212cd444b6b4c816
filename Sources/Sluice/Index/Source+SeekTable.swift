extension Source {
    /// Bytes that are read of each frame: the longest frame header and a stream header fit.
    private static let probeSize: UInt64 = 32

    /// The seek table at the end of the file, and its bytes, if its sizes add up to the file's.
    ///
    /// - Parameter most: the most bytes that it may have.
    func seekTable(most: UInt64 = .max) throws(Failure) -> (table: SeekTable, encoded: [UInt8])? {
        let footerSize = UInt64(SeekTable.footerSize)
        guard let size, size > footerSize,
            let footer = try bytes(at: size - footerSize, count: Int(footerSize)),
            let tableSize = footer.span.bytes.withUnsafeBytes(SeekTable.encodedSize), tableSize < size,
            tableSize <= min(SeekTable.largestHeld, most),
            let encoded = try bytes(at: size - tableSize, count: Int(tableSize)),
            let table = encoded.span.bytes.withUnsafeBytes({ SeekTable($0) }),
            !table.entries.isEmpty, table.compressedSize == size - tableSize
        else { return nil }
        return (table, encoded)
    }

    /// The frame of an entry of a seek table, if its header does not contradict it; one without a size contradicts
    /// none.
    func frame(of entry: SeekTable.Entry, at offset: UInt64) throws(Failure) -> FrameScanner.Frame? {
        let size = UInt64(entry.compressedSize)
        guard size > 0, let probe = try bytes(at: offset, count: Int(min(size, Self.probeSize))) else { return nil }
        var scanner = FrameScanner(offset: offset)
        guard let (scanned, ended) = probe.span.bytes.withUnsafeBytes({ try? scanner.scan($0) }),
            var frame = ended ?? scanner.current
        else { return nil }
        if ended != nil || frame.isSkippable {
            guard UInt64(scanned) + (ended == nil ? scanner.bytesToSkip : 0) == size else { return nil }
        }
        let listed = UInt64(entry.decompressedSize)
        guard frame.isSkippable || frame.header != nil, frame.contentSize ?? listed == listed else { return nil }
        frame.compressedSize = size
        return frame
    }
}
