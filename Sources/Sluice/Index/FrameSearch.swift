internal import Glibc
internal import SystemPackage
internal import ZstdCodec

/// Finds where the frames of a file lie without decoding: by the seek table at its end, or from one header to the next.
///
/// A seek table is believed if its sizes and its own add up to the file, and its frames bear it out by their headers:
/// the first and the last, if all but that have one size, as those that are cut from a content do, else each of them. A
/// number that was damaged shows either way. What no header says, nobody knows without decoding.
struct FrameSearch {
    /// What is read of a file to see a frame header or a block header, in bytes; and where they stand close together.
    private static let probe = (small: 32, large: 64 << 10)
    /// Headers with less between them stand close together, in bytes.
    private static let near: UInt64 = 4 << 10

    let source: Source

    /// - Parameter end: how far the index has to reach, in bytes of the content; nil to the end of the file.
    /// - Returns: the index, and by what it was found; nil if frames do not say how much they hold.
    /// - Throws: `reading`, `sourceShrank`.
    func index(reaching end: UInt64?) throws(Failure) -> (index: FrameIndex, finding: FrameFinding)? {
        if let index = try tableIndex(reaching: end ?? .max) { return (index, .seekTable) }
        return try headerIndex(reaching: end ?? .max).map { ($0, .headers) }
    }

    private func tableIndex(reaching end: UInt64) throws(Failure) -> FrameIndex? {
        guard let (table, _) = try Listing.table(of: source), let index = FrameIndex(table) else { return nil }
        let sizes = table.entries.lazy.map(\.decompressedSize).filter { $0 > 0 }
        let isUniform = sizes.dropLast().allSatisfy { $0 == sizes.first } && sizes.last ?? 0 <= sizes.first ?? 0
        let filled = table.entries.indices.filter { table.entries[$0].decompressedSize > 0 }
        for (position, entry) in table.entries.enumerated() {
            let isEnd = position == filled.first || position == filled.last
            if isUniform, entry.decompressedSize > 0, !isEnd { continue }
            // The end of the content is counted from, whatever is asked for.
            guard isUniform && isEnd || index[position].content.lowerBound < end else { continue }
            let offset = index[position].input.lowerBound
            guard try Listing.frame(entry, at: offset, of: source, saysSize: !isUniform) != nil else { return nil }
        }
        return index
    }

    private func headerIndex(reaching end: UInt64) throws(Failure) -> FrameIndex? {
        var (scanner, audit, index) = (FrameScanner(), SeekTableAudit(), FrameIndex(joinsSmallFrames: true))
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
                guard (try? scanner.finish()) != nil, (try? audit.finish(at: scanner.offset)) != nil else { return nil }
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
        _ ended: FrameScanner.Frame?, _ current: FrameScanner.Frame?, _ audit: inout SeekTableAudit,
        _ index: inout FrameIndex, reaching end: UInt64
    ) -> Bool {
        if let ended {
            guard (try? audit.note(ended)) != nil else { return false }
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
