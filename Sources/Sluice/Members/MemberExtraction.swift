/// Decompresses members of the tar archive that a compressed file is: the content of one file, or an archive of several
/// members with their headers. Only the frames that hold them are read, if these can be found.
///
/// The headers in the content decide: the run fails with `archive` before anything that differs from the index is
/// written.
package struct MemberExtraction: DecodingOperation, MomentaryOperation {
    let selection: MemberSelection
    package var decompression: Decompression
    private let indexFile: IndexFile?
    let didFind: @Sendable (FrameFinding, [MemberSelection.Notice]) -> Void

    /// - Parameters:
    ///   - indexFile: keeps what decoding everything has found.
    ///   - didFind: receives how the members were found, before anything is written.
    package init(
        _ selection: MemberSelection, _ decompression: Decompression = Decompression(), indexFile: IndexFile? = nil,
        didFind: @escaping @Sendable (FrameFinding, [MemberSelection.Notice]) -> Void = { _, _ in }
    ) {
        self.selection = selection
        self.decompression = decompression
        self.indexFile = indexFile
        self.didFind = didFind
    }

    package func run(on engine: Engine) throws(Failure) {
        let found = try ArchiveFinding(decompression: decompression, indexFile: indexFile).find(on: engine)
        let selected = try selection.select(from: found.members)
        engine.writer.pass(through: MemberFilter(selected.members, isArchive: selected.isArchive))
        let ranges = Self.ranges(of: selected.members)
        var (frames, finding) = (found.frames, found.finding)
        if frames == nil, engine.reader.source.foreignFormat == nil,
            let search = try Self.search(engine.reader.source).index(reaching: nil, for: ranges)
        {
            (frames, finding) = (search.index, search.finding)
        }
        if let frames, frames.contentSize != found.members.contentSize { throw ArchiveIndex.damage }
        didFind(finding, selected.notices)
        // The search for members may have moved the reader to the end of the file.
        if frames == nil { _ = try engine.reader.read(0..<0) }
        let extraction = Extraction(ranges, decompression, index: frames)
        try extraction.run(on: engine)
    }

    /// Finds the frames; the headers of members prove where they lie.
    static func search(_ source: Source) -> FrameSearch { FrameSearch(source: source, provesPlaces: true) }

    /// The bytes of the members, where neighbours are one range.
    static func ranges(of members: [ArchiveMember]) -> [ContentRange] {
        var ranges: [Range<UInt64>] = []
        for member in members {
            if let last = ranges.last, last.upperBound == member.start {
                ranges[ranges.count - 1] = last.lowerBound..<member.end
            } else {
                ranges.append(member.start..<member.end)
            }
        }
        return ranges.map { ContentRange(.offset($0.lowerBound), count: $0.upperBound - $0.lowerBound) }
    }
}
