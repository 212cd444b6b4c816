internal import Glibc
internal import SystemPackage
internal import ZstdCodec

/// Finds where the frames of a file lie without decoding: by the seek table at its end, or from one header to the next.
///
/// A seek table is believed if its sizes and its own add up to the file, and its frames bear it out by their headers:
/// the first and the last, if all but that have one size, as those that are cut from a content do, else each of them. A
/// number that was damaged shows either way. Those that the ranges need are asked too, which shows numbers that are
/// right, and stand in wrong places. What no header says, nobody knows without decoding.
struct FrameSearch {
    /// What is read of a file to see a frame header or a block header, in bytes; and where they stand close together.
    private static let probe = (small: 32, large: 64 << 10)
    /// Headers with less between them stand close together, in bytes.
    private static let near: UInt64 = 4 << 10

    /// So many frames of a range are asked before it is read; each that is read proves itself.
    private static let mostAsked = 256

    let source: Source

    /// - Parameters:
    ///   - end: how far the index has to reach, in bytes of the content; nil to the end of the file.
    ///   - ranges: what will be read.
    /// - Returns: the index, and by what it was found; nil if frames do not say how much they hold.
    /// - Throws: `reading`, `sourceShrank`.
    func index(
        reaching end: UInt64?, for ranges: [ContentRange] = []
    ) throws(Failure) -> (index: FrameIndex, finding: FrameFinding)? {
        let (index, isWrong) = try tableIndex(reaching: end ?? .max, for: ranges)
        if let index { return (index, .seekTable) }
        return try headerIndex(reaching: end ?? .max, audit: isWrong ? nil : SeekTableAudit()).map {
            ($0, isWrong ? .headersAgainstTable : .headers)
        }
    }

    /// - Returns: nil if there is no seek table that can be believed, and whether there is one which is wrong.
    private func tableIndex(
        reaching end: UInt64, for ranges: [ContentRange]
    ) throws(Failure) -> (index: FrameIndex?, isWrong: Bool) {
        guard let (table, _) = try Listing.table(of: source), let index = FrameIndex(table) else { return (nil, false) }
        let asked = index.positions(of: ranges, most: Self.mostAsked)
        let sizes = table.entries.lazy.map(\.decompressedSize).filter { $0 > 0 }
        let isUniform = sizes.dropLast().allSatisfy { $0 == sizes.first } && sizes.last ?? 0 <= sizes.first ?? 0
        let filled = table.entries.indices.filter { table.entries[$0].decompressedSize > 0 }
        for (position, entry) in table.entries.enumerated() {
            let isEnd = position == filled.first || position == filled.last
            let isAsked = asked.contains(position)
            if isUniform, entry.decompressedSize > 0, !isEnd, !isAsked { continue }
            // The end of the content is counted from, whatever is asked for.
            guard isUniform && isEnd || isAsked || index[position].content.lowerBound < end else { continue }
            let offset = index[position].input.lowerBound
            if try Listing.frame(entry, at: offset, of: source, saysSize: !isUniform) == nil {
                // A header that says no size contradicts none.
                return (nil, try Listing.frame(entry, at: offset, of: source, saysSize: false) == nil)
            }
        }
        return (index, false)
    }

    /// - Parameter audit: compares the frames with the seek table, if the file is read to its end; nil if that is known
    ///   to be wrong.
    private func headerIndex(reaching end: UInt64, audit: SeekTableAudit?) throws(Failure) -> FrameIndex? {
        var (scanner, audit, index) = (FrameScanner(), audit, FrameIndex(joinsSmallFrames: true))
        var buffer = [UInt8](repeating: 0, count: Self.probe.large)
        var count = Self.probe.small
        let size = source.size ?? 0
        while index.contentSize < end {
            let place = off_t(clamping: source.start + scanner.offset)
            let read = try Failure.reading { () throws(Errno) in
                try systemCall { pread(source.descriptor.rawValue, &buffer, count, place) }
            }
            if read == 0 {
                if scanner.offset < size { throw .sourceShrank(expected: size, read: scanner.offset) }
                // What was cut is told by whoever decodes it.
                do throws(CodecFailure) {
                    try scanner.finish()
                    try audit?.finish(at: scanner.offset)
                } catch { return nil }
                return index
            }
            var rest = buffer[..<read]
            while !rest.isEmpty {
                guard let (scanned, ended) = rest.span.bytes.withUnsafeBytes({ try? scanner.scan($0) }) else {
                    return nil
                }
                rest = rest.dropFirst(scanned)
                guard note(ended, scanner.current, &audit, &index, reaching: end) else { return nil }
            }
            let skipped = min(scanner.bytesToSkip, size - min(size, scanner.offset))
            guard let ended = try? scanner.skip(skipped) else {
                count = skipped < Self.near ? Self.probe.large : Self.probe.small
                continue
            }
            guard note(ended, nil, &audit, &index, reaching: end) else { return nil }
        }
        return index
    }

    /// Takes note of a frame that has ended, and looks at the one that has begun.
    ///
    /// - Returns: false if the way from header to header ends here, or leads nowhere.
    private func note(
        _ ended: FrameScanner.Frame?, _ current: FrameScanner.Frame?, _ audit: inout SeekTableAudit?,
        _ index: inout FrameIndex, reaching end: UInt64
    ) -> Bool {
        if let ended {
            do throws(CodecFailure) { try audit?.note(ended) } catch { return false }
            let size = ended.isSkippable ? 0 : ended.header?.contentSize
            guard let size, size <= ended.blockBound || ended.isSkippable,
                index.append(inputSize: ended.compressedSize, contentSize: size)
            else { return false }
        }
        guard let header = current?.header else { return true }
        guard let size = header.contentSize else { return false }
        // The first frame has all that is needed: it is decoded from its start, wherever it ends.
        return index.contentSize > 0 || size < end
    }
}

extension FrameIndex {
    /// The places of the entries that ranges need, and of those behind them, where they have to end.
    ///
    /// - Parameter most: of each range.
    fileprivate func positions(of ranges: [ContentRange], most: Int) -> Set<Int> {
        var positions: Set<Int> = []
        for range in ranges {
            let content = range.resolved(in: contentSize)
            guard !content.isEmpty, let first = position(of: content.lowerBound) else { continue }
            let last = position(of: content.upperBound - 1) ?? first
            positions.formUnion(first...min(last + 1, count - 1, first + most))
        }
        return positions
    }
}
