/// How the frames of a range were found.
package enum FrameSearchMethod: Equatable, Sendable {
    /// By the seek table at the end of the file.
    case seekTable
    /// From one frame header to the next.
    case headers
    /// From one frame header to the next, because the seek table, which no stream header announces, contradicts the
    /// frames.
    case headersAgainstTable
    /// From one frame header to the next. The seek table that a stream header announces is missing or damaged, so that
    /// nothing shows whether frames are.
    case headersWithoutTable
    /// By a separate index file.
    case indexFile
    /// By decoding everything once.
    case decoding
    /// Not at all: from the start, everything before the range was decoded, and dropped.
    case fromStart
}

/// A search for the frames of a file without decoding: by the seek table at its end, from one header to the next, or by
/// a separate index file.
///
/// A seek table is used only if it is credible (`Source.confirm`). The frames before the needed end are checked, and
/// those that ranges need, which reveals right numbers in wrong places.
///
/// Without a credible table, the search goes on to the end of the stream that has the needed end: the table that its
/// header announces must list the frames that were found. In a stream that lacks a frame, all content after it would be
/// taken for other content.
struct FrameSearch {
    /// The most frames of a range that are checked before it is read; reading a frame checks it anyway.
    private static let mostAsked = 256

    enum TableIndex {
        case credible(FrameIndex)
        case none, wrong
    }

    let source: Source
    /// Whether the content itself shows where it lies, as members do. Then only frames that ranges need are checked.
    var provesPlaces = false
    /// Whether the checksums of frames must be those that an announced table lists.
    var verifiesChecksums = true
    /// Used if frames don't state their content size.
    var indexFile: IndexFile?

    /// - Parameters:
    ///   - end: how far the index must reach, in bytes of the content; nil to the end of the file.
    ///   - ranges: those that will be read.
    /// - Returns: nil if frames don't state their content size and no index file lists them.
    /// - Throws: `corrupt`, `missingSeekTable` if a stream is not what its table lists; `reading`, `sourceShrank`; what
    ///   `IndexFile.read` throws.
    func index(
        reaching end: UInt64?, for ranges: [ContentRange] = []
    ) throws(Failure) -> (index: FrameIndex, method: FrameSearchMethod)? {
        var isWrong = false
        switch try tableIndex(reaching: end ?? .max, for: ranges) {
        case .credible(let index): return (index, .seekTable)
        case .none: break
        case .wrong: isWrong = true
        }
        // Walking over a remote file reads all of it.
        if source.ranges != nil, let kept = try indexFile?.read(for: source) { return (kept.frames, .indexFile) }
        if let (index, lacksTable) = try headerIndex(reaching: end ?? .max) {
            return (index, lacksTable ? .headersWithoutTable : isWrong ? .headersAgainstTable : .headers)
        }
        return try indexFile?.read(for: source).map { ($0.frames, .indexFile) }
    }

    /// The index in the seek table. Only the headers that confirm it are read.
    func tableIndex(reaching end: UInt64, for ranges: [ContentRange]) throws(Failure) -> TableIndex {
        let input = CompressedInput(source)
        guard let (table, _) = try input.seekTable(), let index = FrameIndex(table) else { return .none }
        // Each header of a remote file is a request, and the frames that are read must match the table anyway.
        let asked = source.ranges == nil ? index.positions(of: ranges, most: Self.mostAsked) : []
        let checks = SeekTableProbes(
            end: provesPlaces ? 0 : end, asked: asked, trustsSilence: table.hasUniformContent)
        switch try input.confirm(table, checks) {
        case .credible: return .credible(index)
        case .unconfirmed: return .none
        case .wrong: return .wrong
        }
    }

    /// Walks from header to header.
    ///
    /// - Returns: the frames, and whether those of a stream could not be compared with the table that its header
    ///   announces; nil if decoding has to find them, or will report what is wrong with the file.
    private func headerIndex(reaching end: UInt64) throws(Failure) -> (index: FrameIndex, lacksTable: Bool)? {
        var (check, index) = (StreamEndCheck(comparesChecksums: verifiesChecksums), FrameIndex(joinsSmallFrames: true))
        // Frames that don't state their content size make an index impossible, but not the comparison.
        var (isIndexed, isWhole) = (true, true)
        if end == 0 { return (index, false) }
        // A request for each block would take longer than reading everything.
        var walk = try FrameWalk(over: source, readsAll: source.ranges != nil)
        while let begun = try walk.begun() {
            let isFound = index.contentSize >= end
            // The header of a stream follows its first frame.
            if isFound, !check.awaitsTable, !begun.isStreamHeader { break }
            if !check.awaitsTable, isDecodedFromStart(begun, after: index, reaching: end) { return nil }
            guard let step = try walk.next() else { break }
            isWhole = step.flaw == nil
            if !isWhole { break }
            try codec(check.note(step.frame))
            if isIndexed, !isFound { isIndexed = index.append(step.frame) }
            if !isIndexed, !check.awaitsTable { return nil }
        }
        guard isIndexed else { return nil }
        if index.contentSize >= end { return (index, check.needsTable) }
        return isWhole && (try? check.finish(at: walk.end)) != nil ? (index, false) : nil
    }

    /// Whether a frame that has not ended in the bytes that were read is decoded from its start, without an index: it
    /// does not state its content size, or is the first one and has everything that is needed.
    private func isDecodedFromStart(
        _ begun: FrameScanner.Frame, after index: FrameIndex, reaching end: UInt64
    ) -> Bool {
        guard begun.compressedSize == 0, let header = begun.header else { return false }
        guard let size = header.contentSize else { return true }
        guard index.contentSize == 0, size >= end else { return false }
        // In a stream with a table, another frame may be in the place of the first.
        return size > UInt64(SeekTable.maximumFrameSize) || !CompressedInput(source).endsInSeekTable
    }
}

extension FrameIndex {
    /// - Returns: false, with nothing added, if the frame does not state a content size that it can have.
    mutating func append(_ frame: FrameScanner.Frame) -> Bool {
        guard let size = frame.contentSize, size <= frame.blockBound || frame.isSkippable else { return false }
        return append(inputSize: frame.compressedSize, contentSize: size)
    }
}

extension FrameIndex {
    /// The positions of the entries that ranges need, and of the entry after each range, where its frames must end.
    ///
    /// - Parameter most: entries of each range.
    fileprivate func positions(of ranges: [ContentRange], most: Int) -> Set<Int> {
        var positions: Set<Int> = []
        for range in ranges {
            let content = range.resolved(in: contentSize)
            guard !content.isEmpty, let first = position(ofContent: content.lowerBound) else { continue }
            let last = position(ofContent: content.upperBound - 1) ?? first
            positions.formUnion(first...min(last + 1, count - 1, first + most))
        }
        return positions
    }
}
