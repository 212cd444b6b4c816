/// Members in a few frames of an indexed archive, without a run (docs/decisions/members.md).
extension MemberExtraction {
    /// The most bytes of content that are decoded, and of members that are written.
    private static let mostContent = 8 << 20

    package var shortcut: Shortcut? { .momentary(self) }

    package func runAtOnce(
        from source: Source, to sink: Sink?, willWrite: (Int) throws(Failure) -> Void
    ) throws(Failure) -> Summary? {
        // The run reports whatever is wrong with the archive or the names.
        guard source.isFile, source.size != nil, sink?.stream == nil, source.foreignFormat == nil,
            var made = try? content(of: source), made.bytes.count <= Self.mostContent
        else { return nil }
        try willWrite(made.bytes.count)
        didFind(.seekTable, made.notices)
        if let sink {
            try made.bytes.forEachRegion { region throws(Failure) in try sink.write(region) }
            made.summary.bytesOut = made.bytes.count
        }
        return made.summary
    }

    /// What is written, and what was read and decoded for it.
    private func content(
        of source: Source
    ) throws(Failure) -> (bytes: Bytes, summary: Summary, notices: [MemberSelection.Notice])? {
        guard let members = try source.archiveIndex() else { return nil }
        let selected = try selection.select(from: members)
        let ranges = Self.ranges(of: selected.members)
        // Without a credible table it is the run that walks over the headers.
        guard let frames = try Self.search(source).tableIndex(reaching: .max, for: ranges).index,
            frames.contentSize == members.contentSize, let entries = Self.entries(for: ranges, in: frames)
        else { return nil }
        let filter = MemberFilter(selected.members, isArchive: selected.isArchive)
        var (bytes, summary) = (Bytes(), Summary())
        for (position, parts) in entries {
            let beginning = FrameBeginning(
                frame: frames[position], source: source, members: members, decompression: decompression)
            let content = try filter.take(beginning.content(of: parts))
            summary.contentSize += content.count
            summary.bytesIn += frames[position].input.count
            bytes.append(content)
        }
        bytes.append(Bytes(filter.end))
        return (bytes, summary, selected.notices)
    }

    /// The entries of an index that ranges need, and which parts of each; nil if they are too large to be held.
    private static func entries(
        for ranges: [ContentRange], in index: FrameIndex
    ) -> [(position: Int, parts: [Range<Int>])]? {
        var excerpt = Excerpt(ranges.map { $0.resolved(in: index.contentSize) }, index: index)
        var (entries, most) = ([(position: Int, parts: [Range<Int>])](), mostContent)
        while let next = excerpt.next, let position = index.position(of: next) {
            let entry = index[position]
            guard entry.content.count <= most, entry.input.count <= entry.content.count + mostContent else {
                return nil
            }
            most -= entry.content.count
            entries.append((position, excerpt.take(UInt64(entry.content.count))))
        }
        return entries
    }
}
