/// Whether a seek table is credible: some of its entries are compared with headers of frames before anything is read
/// by it. `FrameIndex.check` compares one entry with its frames when they are decoded, `StreamEndCheck` a whole table
/// with all frames that were walked over.
extension Source {
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
        if let ranges {
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
            } else if ranges != nil, entry.decompressedSize > 0 {
                read = lastWithContent
                read?.header?.contentSize = UInt64(entry.decompressedSize)
            } else if ranges != nil {
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
        var (probes, offset, next) = ([Range<Int>](), start, positions[...])
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
        guard size > 0, let probe = try bytes(at: offset, count: Int(min(size, Self.probeSize))) else { return nil }
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
