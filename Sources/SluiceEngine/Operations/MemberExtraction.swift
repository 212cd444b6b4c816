/// Decompresses members of the tar archive in a compressed file: the content of one file, or an archive of several
/// members with their headers. Only the frames that hold them are read, if these can be found.
///
/// The headers in the content decide: the run fails with `archive` before anything that differs from the index is
/// written.
package struct MemberExtraction: DecodingOperation, MomentaryOperation {
    let selection: MemberSelection
    package var decompression: Decompression
    private let indexFile: IndexFile?
    let didFind: @Sendable (FrameSearchMethod, [MemberSelection.Notice]) -> Void

    /// - Parameters:
    ///   - indexFile: keeps the result of decoding everything.
    ///   - didFind: receives how the members were found, before anything is written.
    package init(
        _ selection: MemberSelection, _ decompression: Decompression = Decompression(), indexFile: IndexFile? = nil,
        didFind: @escaping @Sendable (FrameSearchMethod, [MemberSelection.Notice]) -> Void = { _, _ in }
    ) {
        self.selection = selection
        self.decompression = decompression
        self.indexFile = indexFile
        self.didFind = didFind
    }

    package func run(on engine: Engine) throws(Failure) {
        if indexFile == nil, !engine.reader.source.canBeSearched { return try runInOrder(on: engine) }
        let found = try ArchiveSearch(decompression: decompression, indexFile: indexFile).find(on: engine)
        let selected = try selection.select(from: found.members, latch: engine.latch)
        engine.writer.pass(through: MemberFilter(selected.members, isArchive: selected.isArchive))
        let ranges = Self.ranges(of: selected.members)
        var (frames, method) = (found.frames, found.method)
        if frames == nil, CompressedInput(engine.reader.source).foreignFormat == nil,
            let search = try search(engine.reader.source).index(reaching: nil, for: ranges)
        {
            (frames, method) = (search.index, search.method)
        }
        if let frames, frames.contentSize != found.members.contentSize { throw ArchiveIndex.damage }
        didFind(method, selected.notices)
        // Go back to the start: the search for members may have moved the reader to the end of the file.
        if frames == nil { _ = try engine.reader.read(0..<0) }
        let extraction = Extraction(ranges, decompression, index: frames)
        try extraction.run(on: engine)
    }

    /// Decodes the content once, in order, up to the end of the last member that is needed.
    private func runInOrder(on engine: Engine) throws(Failure) {
        let reader = engine.reader
        let filter = StreamedMembers(selection) { [weak reader] in reader?.end() }
        engine.writer.pass(through: filter)
        didFind(.fromStart, [])
        try decompression.run(on: engine)
        try filter.finish()
    }

    /// Finds the frames; the headers of members prove where they lie.
    private func search(_ source: Source) -> FrameSearch {
        FrameSearch(
            source: source, provesPlaces: true, verifiesChecksums: decompression.limits.verifiesChecksums)
    }

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

/// Members in a few frames of an indexed archive, without a run (docs/decisions/members.md).
extension MemberExtraction {
    /// The most bytes of content that are decoded, and of members that are written.
    private static let mostContent = 8 << 20

    package var shortcut: Shortcut? { .momentary(self) }

    package func runAtOnce(
        from source: Source, to sink: Sink?, willWrite: (Int) throws(Failure) -> Void
    ) throws(Failure) -> Summary? {
        // The run reports whatever is wrong with the archive or the names.
        guard source.isFile, source.size != nil, sink == nil || sink?.descriptor != nil,
            CompressedInput(source).foreignFormat == nil,
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
        guard let members = try CompressedInput(source).archiveIndex() else { return nil }
        let selected = try selection.select(from: members)
        let ranges = Self.ranges(of: selected.members)
        // Without a credible table, a run is needed: it walks over the headers.
        guard case .credible(let frames) = try search(source).tableIndex(reaching: .max, for: ranges),
            frames.contentSize == members.contentSize, let entries = Self.entries(for: ranges, in: frames)
        else { return nil }
        let filter = MemberFilter(selected.members, isArchive: selected.isArchive)
        var (bytes, summary) = (Bytes(), Summary())
        for (position, parts) in entries {
            let beginning = ProvedFrameStart(
                frame: frames[position], source: source, members: members, decompression: decompression)
            let content = try filter.take(beginning.content(of: parts))
            summary.contentSize += content.count
            summary.bytesIn += frames[position].input.count
            bytes.append(content)
        }
        bytes.append(filter.end)
        return (bytes, summary, selected.notices)
    }

    /// The entries of an index that ranges need, and which parts of each; nil if they are too large to be held.
    private static func entries(
        for ranges: [ContentRange], in index: FrameIndex
    ) -> [(position: Int, parts: [Range<Int>])]? {
        var selection = RangeSelection(ranges.map { $0.resolved(in: index.contentSize) }, index: index)
        var (entries, most) = ([(position: Int, parts: [Range<Int>])](), mostContent)
        while let next = selection.next, let position = index.position(ofContent: next) {
            let entry = index[position]
            guard entry.content.count <= most, entry.input.count <= entry.content.count + mostContent else {
                return nil
            }
            most -= entry.content.count
            entries.append((position, selection.take(UInt64(entry.content.count))))
        }
        return entries
    }
}

/// A filter that passes on members, or the content of one, once their headers prove to match the index.
final class MemberFilter: ContentFilter {
    private struct State {
        /// Members whose headers have not come, and the one that is under way.
        var members: ArraySlice<ArchiveMember>
        /// Headers that are not complete.
        var headers = Bytes()
        /// Bytes of the member under way after its headers; nil until these are proved.
        var rest: (data: UInt64, padding: UInt64)?
        /// Makes the content of a sparse file, if content is what is handed on.
        var sparse: SparseContent?
    }

    private let isArchive: Bool
    private let state: Locked<State>

    /// An archive ends with two blocks of zeros.
    var end: Bytes { isArchive ? Self.endOfArchive : Bytes() }

    static let endOfArchive = Bytes([UInt8](repeating: 0, count: 2 * Int(ArchiveMember.blockSize)))

    /// - Parameter isArchive: whether headers and padding are handed on.
    init(_ members: [ArchiveMember], isArchive: Bool) {
        self.isArchive = isArchive
        state = Locked(State(members: members[...]))
    }

    func take(_ bytes: Bytes, isContinued: Bool = false) throws(Failure) -> Bytes {
        try state.withLock { state throws(Failure) in
            let bytes = Bytes(joining: [state.headers, bytes])
            var (position, content) = (0, Bytes())
            while position < bytes.count {
                guard let member = state.members.first else { throw ArchiveIndex.damage }
                if let left = state.rest {
                    let end = position + Int(min(left.data, UInt64(bytes.count - position)))
                    let data = bytes.slice(position..<end)
                    position = end
                    let padding = min(left.padding, UInt64(bytes.count - position))
                    position += Int(padding)
                    if !isArchive { content.append(try state.sparse?.take(data) ?? data) }
                    state.rest = (left.data - UInt64(data.count), left.padding - padding)
                } else {
                    let end = position + Int(member.data - member.start)
                    guard end <= bytes.count else { break }
                    let map = try member.prove(bytes.slice(position..<end).elements)
                    if let map, !isArchive { state.sparse = try SparseContent(member, map) }
                    state.rest = (member.storedSize, member.end - member.data - member.storedSize)
                    position = end
                }
                if state.rest?.data == 0 {
                    content.append(try state.sparse?.finish() ?? Bytes())
                    state.sparse = nil
                }
                if let left = state.rest, left == (0, 0) {
                    state.rest = nil
                    state.members.removeFirst()
                }
            }
            state.headers = bytes.slice(position..<bytes.count).copied
            // All proved bytes of an archive go on in one piece: thousands of small ones would be slow to join.
            return isArchive ? bytes.slice(0..<position) : content
        }
    }
}
