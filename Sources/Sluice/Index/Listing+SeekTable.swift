/// Lists a file by the seek table at its end and the first bytes of frames; nothing between them is read.
///
/// The table is proved: its sizes and its own add up to the file; where it says so, frames begin whose headers have the
/// decompressed size that it lists; and a stream header is followed by one table, at the end. If there are many frames,
/// a few hundred are checked, and each whose listed size differs from the one before: a damaged number shows, and a
/// file of terabytes is listed at once. The table fails for a file that was cut, continued or concatenated, or whose
/// frames don't say their sizes: then the headers of all blocks tell. It is not proved that the blocks of a frame end
/// where the next one begins; only a frame header forged inside a block could hide that. Sizes are always what headers
/// claim; `-t` tells whether they are true.
extension Listing {
    /// If frames are smaller than this on average, in bytes, reading everything is as fast.
    private static let smallestFrames: UInt64 = 64 << 10
    /// Bytes that are read of each frame: the longest frame header and a stream header fit.
    private static let probeSize: UInt64 = 32

    /// Nil if there is no table, or it does not prove right.
    ///
    /// - Parameter places: that many frames, or up to twice as many, are checked if all have as much content.
    init?(bySeekTableOf source: Source, places: Int = 256) throws(Failure) {
        guard let size = source.size,
            let (table, encoded) = try Self.table(of: source, most: size / Self.smallestFrames * 12 + 64)
        else { return nil }
        self.init()
        var offset: UInt64 = 0
        var (audit, last) = (SeekTableAudit(), SeekTable.Entry?.none)
        var frame: FrameScanner.Frame?
        let step = max(1, table.entries.count / max(1, places))
        for (index, entry) in table.entries.enumerated() {
            let isLast = index == table.entries.count - 1
            if index % step == 0 || isLast || entry.decompressedSize != last?.decompressedSize {
                frame = try Self.frame(entry, at: offset, of: source)
            } else {
                frame?.offset = offset
                frame?.compressedSize = UInt64(entry.compressedSize)
            }
            last = entry
            guard let frame, (try? note(frame, &audit)) != nil else { return nil }
            offset += frame.compressedSize
        }
        var scanner = FrameScanner(offset: offset)
        let ended = encoded.span.bytes.withUnsafeBytes { try? scanner.scan($0).ended }
        guard let ended, case .seekTable = ended.annotation, (try? note(ended, &audit)) != nil,
            (try? audit.finish(at: scanner.offset)) != nil
        else { return nil }
        compressedSize = scanner.offset
    }

    /// The table, and its bytes, if its sizes add up to the file's.
    ///
    /// - Parameter most: the most bytes that it may have.
    static func table(of source: Source, most: UInt64 = .max) throws(Failure) -> (SeekTable, [UInt8])? {
        let footerSize = UInt64(SeekTable.footerSize)
        guard let size = source.size, size > footerSize,
            let footer = try source.bytes(at: size - footerSize, count: Int(footerSize)),
            let tableSize = footer.span.bytes.withUnsafeBytes(SeekTable.encodedSize), tableSize < size,
            tableSize <= min(SeekTable.largestHeld, most),
            let encoded = try source.bytes(at: size - tableSize, count: Int(tableSize)),
            let table = encoded.span.bytes.withUnsafeBytes({ SeekTable($0) }),
            !table.entries.isEmpty, table.compressedSize == size - tableSize
        else { return nil }
        return (table, encoded)
    }

    /// The frame of an entry, if its header agrees.
    ///
    /// - Parameter saysSize: whether the header must say how much content the frame has.
    static func frame(
        _ entry: SeekTable.Entry, at offset: UInt64, of source: Source, saysSize: Bool = true
    ) throws(Failure) -> FrameScanner.Frame? {
        let size = UInt64(entry.compressedSize)
        guard size > 0, let probe = try source.bytes(at: offset, count: Int(min(size, probeSize))) else { return nil }
        var scanner = FrameScanner(offset: offset)
        guard let (scanned, ended) = probe.span.bytes.withUnsafeBytes({ try? scanner.scan($0) }),
            var frame = ended ?? scanner.current
        else { return nil }
        if ended != nil || frame.isSkippable {
            guard UInt64(scanned) + (ended == nil ? scanner.bytesToSkip : 0) == size else { return nil }
        }
        let listed = UInt64(entry.decompressedSize)
        guard frame.isSkippable || frame.header != nil,
            (frame.isSkippable ? 0 : frame.header?.contentSize ?? (saysSize ? nil : listed)) == listed
        else { return nil }
        frame.compressedSize = size
        return frame
    }
}
