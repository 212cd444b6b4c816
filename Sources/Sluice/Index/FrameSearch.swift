/// How the frames of a range were found.
package enum FrameFinding: Equatable, Sendable {
    /// By the seek table at the end of the file.
    case seekTable
    /// From one frame header to the next.
    case headers
    /// From one frame header to the next, because the seek table contradicts the frames.
    case headersAgainstTable
    /// By a separate index file.
    case indexFile
    /// By decoding everything once.
    case survey
    /// Not at all: from the start, everything before the range was decoded, and dropped.
    case fromStart
}

/// A search for the frames of a file without decoding: by the seek table at its end, from one header to the next, or by
/// a separate index file.
///
/// A seek table is used only if it is credible (`Source.confirm`). The frames before the needed end are checked, and
/// those that ranges need, which reveals right numbers in wrong places.
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
    /// Used if frames don't state their content size.
    var indexFile: IndexFile?

    /// - Parameters:
    ///   - end: how far the index must reach, in bytes of the content; nil to the end of the file.
    ///   - ranges: those that will be read.
    /// - Returns: nil if frames don't state their content size and no index file lists them.
    /// - Throws: `reading`, `sourceShrank`; what `IndexFile.read` throws.
    func index(
        reaching end: UInt64?, for ranges: [ContentRange] = []
    ) throws(Failure) -> (index: FrameIndex, finding: FrameFinding)? {
        var (audit, finding): (StreamEndCheck?, FrameFinding) = (StreamEndCheck(), .headers)
        switch try tableIndex(reaching: end ?? .max, for: ranges) {
        case .credible(let index): return (index, .seekTable)
        case .none: break
        case .wrong: (audit, finding) = (nil, .headersAgainstTable)
        }
        // Walking over a remote file reads all of it.
        if source.ranges != nil, let kept = try indexFile?.read(for: source) { return (kept.frames, .indexFile) }
        if let index = try headerIndex(reaching: end ?? .max, audit: audit) { return (index, finding) }
        return try indexFile?.read(for: source).map { ($0.frames, .indexFile) }
    }

    /// The index in the seek table. Only the headers that confirm it are read.
    func tableIndex(reaching end: UInt64, for ranges: [ContentRange]) throws(Failure) -> TableIndex {
        guard let (table, _) = try source.seekTable(), let index = FrameIndex(table) else { return .none }
        // Each header of a remote file is a request, and the frames that are read must match the table anyway.
        let asked = source.ranges == nil ? index.positions(of: ranges, most: Self.mostAsked) : []
        let checks = TableSamples(
            end: provesPlaces ? 0 : end, asked: asked, trustsSilence: table.hasUniformContent)
        switch try source.confirm(table, checks) {
        case .credible: return .credible(index)
        case .unconfirmed: return .none
        case .wrong: return .wrong
        }
    }

    /// - Parameter audit: compares the frames with the seek table, if the whole file is walked over; nil if the table
    ///   is known to be wrong.
    private func headerIndex(reaching end: UInt64, audit: StreamEndCheck?) throws(Failure) -> FrameIndex? {
        var (audit, index) = (audit, FrameIndex(joinsSmallFrames: true))
        if end == 0 { return index }
        // A request for each block would take longer than reading everything.
        var walk = try FrameWalk(over: source, readsAll: source.ranges != nil)
        do throws(Failure) {
            while let begun = try walk.begun() {
                if begun.compressedSize == 0, let header = begun.header {
                    // If the first frame has everything, it is decoded from its start: no index is needed.
                    guard let size = header.contentSize, index.contentSize > 0 || size < end else { return nil }
                }
                guard let ended = try walk.nextWhole() else { break }
                try codec(audit?.note(ended))
                guard let size = ended.contentSize, size <= ended.blockBound || ended.isSkippable,
                    index.append(inputSize: ended.compressedSize, contentSize: size)
                else { return nil }
                if index.contentSize >= end { return index }
            }
            try codec(audit?.finish(at: walk.end))
        } catch {
            // Decoding will report what is wrong with the file.
            if error.codecFailure != nil { return nil }
            throw error
        }
        return index
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
