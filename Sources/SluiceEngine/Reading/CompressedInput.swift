/// What a few bytes of a compressed input say about it before it is read: its format, the window of a frame, its seek
/// table and whether that is credible, and the index of its members.
package struct CompressedInput {
    let source: Source

    package init(_ source: Source) { self.source = source }

    /// The foreign format of a file according to its first bytes; nil if they belong to none.
    package var foreignFormat: ForeignFormat? {
        // The end of a remote file has come already; what has a seek table there is Zstandard, without another request.
        if source.ranges != nil, endsInSeekTable { return nil }
        guard source.isRandomAccess, let magic = try? source.bytes(at: 0, count: ForeignFormat.magicSize) else {
            return nil
        }
        return ForeignFormat(magic: magic)
    }

    /// Whether the last bytes are those of a seek table, whatever it lists.
    var endsInSeekTable: Bool { (try? announcedTable()) != nil }

    /// - Throws: `foreign` for a file in another known format, which has no frames that could be listed.
    func refuseForeign() throws(Failure) {
        if let format = foreignFormat { throw .foreign(format.isRead ? .notListed(format) : .notRead(format)) }
    }

    /// The window that a frame of a file asks for, in bytes; `UInt64.max` if no frame can be read there.
    func windowSize(ofFrameAt offset: UInt64) -> UInt64 {
        let size = source.size ?? 0
        let count = Int(min(UInt64(FrameHeader.mostBytes), size - min(size, offset)))
        guard let start = try? source.bytes(at: offset, count: count) else { return .max }
        return FrameHeader(ofFrame: start.span.bytes)?.windowSize ?? .max
    }
}

extension CompressedInput {
    /// The seek table at the end of the file, and its bytes, if its sizes add up to the file's.
    ///
    /// - Parameter most: the most bytes that it may have.
    func seekTable(most: UInt64 = .max) throws(Failure) -> (table: SeekTable, encoded: [UInt8])? {
        guard let range = try announcedTable(), range.lowerBound > 0,
            UInt64(range.count) <= min(SeekTable.largestHeld, most),
            let encoded = try source.bytes(at: range.lowerBound, count: range.count),
            let table = SeekTable(encoded.span.bytes),
            !table.entries.isEmpty, table.compressedSize == range.lowerBound
        else { return nil }
        return (table, encoded)
    }

    /// Where the seek table is that the last bytes announce, whatever it lists; nil if they announce none. All of the
    /// file if it is to be longer than that.
    private func announcedTable() throws(Failure) -> Range<UInt64>? {
        let footerSize = UInt64(SeekTable.footerSize)
        guard let size = source.size, size > footerSize,
            let footer = try source.bytes(at: size - footerSize, count: Int(footerSize)),
            let tableSize = SeekTable.encodedSize(footer: footer.span.bytes)
        else { return nil }
        return size - min(tableSize, size)..<size
    }

    /// The index of members that a compressed file has before its seek table.
    ///
    /// - Returns: nil if there is none, or if content that was added to the archive follows it.
    /// - Throws: `archive` if it is damaged, `reading`.
    package func archiveIndex() throws(Failure) -> ArchiveIndex? {
        guard let (table, _) = try seekTable() else { return nil }
        var end = table.compressedSize
        // Frames that fill gaps may follow it.
        for entry in table.entries.reversed().prefix(while: { $0.decompressedSize == 0 }) {
            let size = UInt64(entry.compressedSize)
            guard size <= end else { return nil }
            end -= size
            guard size <= ArchiveIndex.mostBytes,
                let head = try source.bytes(at: end, count: Int(min(size, 16))), ArchiveIndex.begins(with: head)
            else { continue }
            guard let index = try ArchiveIndex(in: source.subrange(end..<end + size)),
                index.contentSize == table.decompressedSize
            else { throw ArchiveIndex.damage }
            return index
        }
        return nil
    }
}

/// Whether a seek table is credible: some of its entries are compared with headers of frames before anything is read
/// by it. `FrameIndex.check` compares one entry with its frames when they are decoded, `StreamEndCheck` a whole table
/// with all frames that were walked over.
extension CompressedInput {
    /// Bytes that are read of each frame: the longest frame header and a stream header fit.
    private static let probeSize: UInt64 = 32

    /// Compares a seek table of the right size with the headers of some of its frames (docs/format.md, "Credible").
    ///
    /// - Parameter visit: receives each frame as it is listed, with the header of the last one of its kind that was
    ///   read; returns whether the table can be right.
    func confirm(
        _ table: SeekTable, _ checks: SeekTableProbes, _ visit: (FrameScanner.Frame) -> Bool = { _ in true }
    ) throws(Failure) -> TableVerdict {
        var chosen = checks.positions(in: table)
        if let ranges = source.ranges {
            chosen = SeekTableProbes.fewer(chosen)
            ranges.prepare(probes(of: chosen, in: table))
        }
        var (offset, read, next) = (UInt64(0), FrameScanner.Frame?.none, chosen[...])
        // Of a remote file, the header that was read last may be that of a frame of another size, or of another kind.
        var lastWithContent: FrameScanner.Frame?
        for (position, entry) in table.entries.enumerated() {
            if position == next.first {
                next.removeFirst()
                read = try self.frame(of: entry, at: offset)
                guard let read else { return .wrong }
                if read.contentSize == nil, !checks.trustsSilence { return .unconfirmed }
                if read.header != nil { lastWithContent = read }
            } else if source.ranges != nil, entry.decompressedSize > 0 {
                read = lastWithContent
                read?.header?.contentSize = UInt64(entry.decompressedSize)
            } else if source.ranges != nil {
                read = FrameScanner.Frame(offset: offset)
                read?.isSkippable = true
            }
            if var frame = read {
                (frame.offset, frame.compressedSize) = (offset, UInt64(entry.compressedSize))
                if !visit(frame) { return .wrong }
            }
            offset += UInt64(entry.compressedSize)
        }
        return .credible
    }

    /// The bytes of the origin that the headers of these entries are in.
    private func probes(of positions: [Int], in table: SeekTable) -> [Range<Int>] {
        var (probes, offset, next) = ([Range<Int>](), source.start, positions[...])
        for (position, entry) in table.entries.enumerated() {
            if position == next.first {
                next.removeFirst()
                let size = min(UInt64(entry.compressedSize), Self.probeSize)
                probes.append(Int(clamping: offset)..<Int(clamping: offset + size))
            }
            offset += UInt64(entry.compressedSize)
        }
        return probes
    }

    /// The frame of a seek table's entry; nil if its header contradicts the entry. A header without a content size
    /// contradicts none.
    func frame(of entry: SeekTable.Entry, at offset: UInt64) throws(Failure) -> FrameScanner.Frame? {
        let size = UInt64(entry.compressedSize)
        guard size > 0, let probe = try source.bytes(at: offset, count: Int(min(size, Self.probeSize))) else {
            return nil
        }
        var scanner = FrameScanner(offset: offset)
        guard let (scanned, ended) = try? scanner.scan(probe.span.bytes), var frame = ended ?? scanner.current
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

/// Which frames are compared with a seek table, besides the last one and each whose content size differs from that of
/// the frame before.
struct SeekTableProbes {
    /// An offset in the content: after it, only the last frame is checked, and those that are asked for. 0 if the
    /// content itself shows where it lies.
    var end = UInt64.max
    /// Positions of frames that will be read.
    var asked: Set<Int> = []
    /// The number of further frames, or up to twice that, spread evenly over the table.
    var places = 0
    /// Whether the frame after each without content is checked, so that each has a header of its kind.
    var seesKinds = false
    /// Whether frames that don't state their content size may confirm the table.
    var trustsSilence = false
}

extension SeekTableProbes {
    /// The most headers of a remote file that are read: each is a request, and all of them wait together.
    private static let mostRemote = 8

    /// The positions of the entries whose headers are read, in order.
    func positions(in table: SeekTable) -> [Int] {
        let last = table.entries.lastIndex { $0.decompressedSize > 0 }
        let step = max(1, table.entries.count / max(1, places))
        var (positions, content, size) = ([Int](), UInt64(0), UInt32?.none)
        for (position, entry) in table.entries.enumerated() {
            let isOther = entry.decompressedSize == 0 || entry.decompressedSize != size
            let isChosen = places > 0 && position % step == 0
            let isTelling = isOther && content < end || position == last && end > 0
            let isOfOtherKind = seesKinds && position > 0 && table.entries[position - 1].decompressedSize == 0
            if isTelling || isChosen || isOfOtherKind || asked.contains(position) { positions.append(position) }
            if entry.decompressedSize > 0 { size = entry.decompressedSize }
            content += UInt64(entry.decompressedSize)
        }
        return positions
    }

    /// As many of the positions as a remote file is asked for: the first two, a frame and a stream header; the last;
    /// and others that are spread evenly.
    static func fewer(_ positions: [Int]) -> [Int] {
        if positions.count <= mostRemote { return positions }
        let step = positions.count / (mostRemote - 2) + 1
        let kept = positions.indices.filter { $0 < 2 || $0 % step == 0 || $0 == positions.count - 1 }
        return kept.map { positions[$0] }
    }
}

/// What frames say about a seek table.
enum TableVerdict {
    case credible
    /// They don't state their content size.
    case unconfirmed
    /// They contradict it.
    case wrong
}
