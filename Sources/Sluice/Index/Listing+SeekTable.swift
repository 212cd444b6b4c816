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

    /// Nil if there is no table, or it does not prove right.
    ///
    /// - Parameter places: that many frames, or up to twice as many, are checked if all have as much content.
    init?(bySeekTableOf source: Source, places: Int = 256) throws(Failure) {
        guard let size = source.size,
            let (table, encoded) = try source.seekTable(most: size / Self.smallestFrames * 12 + 64)
        else { return nil }
        self.init()
        var offset: UInt64 = 0
        var (audit, last) = (SeekTableAudit(), SeekTable.Entry?.none)
        var frame: FrameScanner.Frame?
        let step = max(1, table.entries.count / max(1, places))
        for (index, entry) in table.entries.enumerated() {
            let isLast = index == table.entries.count - 1
            if index % step == 0 || isLast || entry.decompressedSize != last?.decompressedSize {
                frame = try source.frame(of: entry, at: offset)
            } else {
                frame?.offset = offset
                frame?.compressedSize = UInt64(entry.compressedSize)
            }
            last = entry
            guard let frame, frame.contentSize != nil, (try? note(frame, &audit)) != nil else { return nil }
            offset += frame.compressedSize
        }
        var scanner = FrameScanner(offset: offset)
        let ended = encoded.span.bytes.withUnsafeBytes { try? scanner.scan($0).ended }
        guard let ended, case .seekTable = ended.annotation, (try? note(ended, &audit)) != nil,
            (try? audit.finish(at: scanner.offset)) != nil
        else { return nil }
        compressedSize = scanner.offset
    }
}
