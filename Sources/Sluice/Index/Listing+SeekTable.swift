/// Lists a file by the seek table at its end and the first bytes of frames; nothing between them is read.
///
/// The table has to be credible (`Source.confirm`), with a few hundred frames that are checked besides, so that a file of
/// terabytes is listed at once; and a stream header has to be followed by one table, at the end. Otherwise (a file that
/// was cut, continued or concatenated, or whose frames don't say their sizes) the headers of all blocks tell. Sizes are
/// what headers claim; `-t` tells whether they are true.
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
        var audit = SeekTableAudit()
        let verdict = try source.confirm(table, TableChecks(places: places)) { frame in
            (try? note(frame, &audit)) != nil
        }
        guard case .credible = verdict else { return nil }
        let offset = table.compressedSize
        var scanner = FrameScanner(offset: offset)
        let ended = encoded.span.bytes.withUnsafeBytes { try? scanner.scan($0).ended }
        guard let ended, case .seekTable = ended.annotation, (try? note(ended, &audit)) != nil,
            (try? audit.finish(at: scanner.offset)) != nil
        else { return nil }
        compressedSize = scanner.offset
    }
}
