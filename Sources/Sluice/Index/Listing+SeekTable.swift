internal import Glibc
internal import SystemPackage
internal import ZstdCodec

/// What a file holds, from the seek table at its end and the first bytes of each frame: nothing between them is read.
///
/// What is proved: the sizes that the table lists, and its own, add up to the file; at the places that it names there
/// begins a frame of its kind, whose header says the decompressed size that the table does; and a stream header in it
/// is followed by one table, at the end. Of many frames some hundred places are looked at, and
/// each where another decompressed size is listed than before: so a number that was damaged shows, and a file of
/// terabytes is listed at once. A file that was cut, continued, or put together of several fails, and a frame
/// that does not say its size too: then the headers of all blocks tell. What is not proved is that the blocks of a
/// frame end where the next one begins, which only a frame header that somebody forged inside of a block could hide;
/// the sizes are then what frame headers claim, as they always are, and `-t` tells whether they are true.
extension Listing {
    /// Frames smaller than this on average are found as fast by reading everything, in bytes.
    private static let smallestFrames: UInt64 = 64 << 10
    /// A table for some TiB; a larger one is not held, in bytes.
    private static let largestTable: UInt64 = 16 << 20
    /// What is read of each frame: the longest frame header and a stream header fit, in bytes.
    private static let probeSize: UInt64 = 32

    /// Nil if there is no such table, or it is not proved right.
    ///
    /// - Parameter places: so many, or up to twice as many, are looked at where all frames hold as much.
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

    /// The table, and its bytes, if its sizes add up to those of the file.
    ///
    /// - Parameter most: bytes that it may have.
    static func table(of source: Source, most: UInt64 = .max) throws(Failure) -> (SeekTable, [UInt8])? {
        let footerSize = UInt64(SeekTable.footerSize)
        guard let size = source.size, size > footerSize,
            let footer = try source.bytes(at: size - footerSize, count: Int(footerSize)),
            let tableSize = footer.span.bytes.withUnsafeBytes(SeekTable.encodedSize), tableSize < size,
            tableSize <= min(largestTable, most),
            let encoded = try source.bytes(at: size - tableSize, count: Int(tableSize)),
            let table = encoded.span.bytes.withUnsafeBytes({ SeekTable($0) }),
            !table.entries.isEmpty, table.compressedSize == size - tableSize
        else { return nil }
        return (table, encoded)
    }

    /// The frame of an entry, if its header agrees.
    ///
    /// - Parameter saysSize: whether the header has to say how much content there is.
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
        let unsaid = saysSize ? nil : listed
        guard frame.isSkippable || frame.header != nil,
            (frame.isSkippable ? 0 : frame.header?.contentSize ?? unsaid) == listed
        else { return nil }
        frame.compressedSize = size
        return frame
    }
}
