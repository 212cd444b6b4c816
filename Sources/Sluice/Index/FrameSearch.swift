internal import ZstdCodec

/// How the frames of a range were found.
public enum FrameFinding: Equatable, Sendable {
    /// By the seek table at the end of the file.
    case seekTable
    /// From one frame header to the next.
    case headers
    /// By an index in a file of its own.
    case indexFile
    /// By decoding everything once.
    case survey
    /// Not at all: everything before the range was decoded, and dropped.
    case none
}

/// Finds where the frames of a file lie without decoding: by the seek table at its end, or from one header to the next.
///
/// A seek table is believed if its sizes and its own add up to the file, and frame headers confirm it: the first and
/// the last, if all frames but the last have one size, as when a content is cut equally; otherwise every header. So a
/// damaged number shows either way.
struct FrameSearch {
    let source: Source

    /// - Parameter end: how far the index must reach, in bytes of the content; nil to the end of the file.
    /// - Returns: nil if frames don't say how much content they have.
    /// - Throws: `reading`, `sourceShrank`.
    func index(reaching end: UInt64?) throws(Failure) -> (index: FrameIndex, finding: FrameFinding)? {
        if let index = try tableIndex(reaching: end ?? .max) { return (index, .seekTable) }
        return try headerIndex(reaching: end ?? .max).map { ($0, .headers) }
    }

    private func tableIndex(reaching end: UInt64) throws(Failure) -> FrameIndex? {
        guard let (table, _) = try Listing.table(of: source), let index = FrameIndex(table) else { return nil }
        let isUniform = table.hasUniformContent
        let filled = table.entries.indices.filter { table.entries[$0].decompressedSize > 0 }
        for (position, entry) in table.entries.enumerated() {
            let isEnd = position == filled.first || position == filled.last
            if isUniform, entry.decompressedSize > 0, !isEnd { continue }
            // Ranges may be counted from the end of the content: its last frame is checked in any case.
            guard isUniform && isEnd || index[position].content.lowerBound < end else { continue }
            let offset = index[position].input.lowerBound
            guard try Listing.frame(entry, at: offset, of: source, saysSize: !isUniform) != nil else { return nil }
        }
        return index
    }

    private func headerIndex(reaching end: UInt64) throws(Failure) -> FrameIndex? {
        var (audit, index, saysSizes) = (SeekTableAudit(), FrameIndex(joinsSmallFrames: true), true)
        if end == 0 { return index }
        do throws(Failure) {
            let size = try HeaderWalk.run(over: source) { ended, begun in
                saysSizes = note(ended, begun, &audit, &index, reaching: end)
                return saysSizes && index.contentSize < end
            }
            if let size { try codec { () throws(CodecFailure) in try audit.finish(at: size) } }
        } catch {
            // The decoder tells what is wrong with the file.
            if error.code == .codec { return nil }
            throw error
        }
        return saysSizes ? index : nil
    }

    /// Adds a frame that has ended, and looks at the one that has begun.
    ///
    /// - Returns: false if headers are no way to find the frames.
    private func note(
        _ ended: FrameScanner.Frame?, _ begun: FrameScanner.Frame?, _ audit: inout SeekTableAudit,
        _ index: inout FrameIndex, reaching end: UInt64
    ) -> Bool {
        if let ended {
            guard (try? audit.note(ended)) != nil else { return false }
            let size = ended.isSkippable ? 0 : ended.header?.contentSize
            guard let size, size <= ended.blockBound || ended.isSkippable,
                index.append(inputSize: ended.compressedSize, contentSize: size)
            else { return false }
        }
        guard let header = begun?.header else { return true }
        guard let size = header.contentSize else { return false }
        // If the first frame has everything, it is decoded from its start, wherever it ends.
        return index.contentSize > 0 || size < end
    }
}
