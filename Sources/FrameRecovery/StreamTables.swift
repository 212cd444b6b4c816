package import ByteStreams
internal import ZstdCodec

/// The seek tables of a file: each lists the frames of the stream that it ends.
///
/// They are found from the start of the file by headers, as far as these lead, and from its end by the sizes that the
/// tables list. Only between, and where a table is expected, is every byte searched.
struct StreamTables {
    /// A seek table and, if it is credible, what it lists.
    typealias Listed = (place: Range<UInt64>, matcher: SeekTableMatcher?)

    private let file: DamagedFile
    private let verdict: FileVerdict
    private let window: FileWindow
    /// Those at the end of the file, from back to front, with the start of the frames that each lists, if that is
    /// known.
    private let last: [(place: Range<UInt64>, start: UInt64?)]

    init(_ file: DamagedFile, _ verdict: FileVerdict) throws(Failure) {
        (self.file, self.verdict) = (file, verdict)
        window = try FileWindow(forWalkOver: file)
        last = verdict.failure == nil ? [] : try Self.last(in: window, before: verdict)
    }

    /// The next table.
    ///
    /// - Parameter start: the start of a stream: that of the file, or the end of another table.
    mutating func next(after start: UInt64) throws(Failure) -> Listed? {
        guard let place = try place(after: start) else { return nil }
        return (place, try SeekTableMatcher(window, table: place, from: start))
    }

    private func place(after start: UInt64) throws(Failure) -> Range<UInt64>? {
        let known = verdict.tables.places
        let position = known.firstPosition { $0.lowerBound >= start }
        if position < known.count { return known[position] }
        var (passed, mayEndInTable) = (verdict.last, verdict.mayEndInTable)
        if start > verdict.end || !verdict.tables.areAll {
            var (walk, stream) = (FrameWalk(over: window, from: start), StreamStart())
            passed = start..<start
            while let step = try walk.next(), step.flaw == nil {
                if step.frame.isSeekTable { return step.frame.input }
                stream.pass(step.frame)
                passed = step.frame.input
            }
            mayEndInTable = stream.mayEndInTable
        }
        // The last frame may be broken, and have led into the table.
        let end = max(start, passed.lowerBound)
        let next = last.last { $0.place.lowerBound >= end }
        if let next, let first = next.start, first <= passed.upperBound { return next.place }
        // The frames that this table lists begin later: there may be another one before them.
        if mayEndInTable, verdict.failure != nil,
            let place = try search(end..<(next?.place.lowerBound ?? max(end, file.size)))
        {
            return place
        }
        return next?.place
    }

    /// The tables at the end of the file, of which each ends where the frames that the next one lists begin.
    private static func last(
        in window: FileWindow, before verdict: FileVerdict
    ) throws(Failure) -> [(place: Range<UInt64>, start: UInt64?)] {
        var (tables, end) = ([(place: Range<UInt64>, start: UInt64?)](), window.size)
        while end > verdict.end, tables.count < 1 << 16, let place = try window.table(endingAt: end),
            let matcher = try SeekTableMatcher(window, table: place, from: 0)
        {
            tables.append((place, matcher.provenStart))
            guard let start = matcher.provenStart else { break }
            end = start
        }
        return tables
    }

    /// Searches every byte for a table that ends in a range.
    private func search(_ range: Range<UInt64>) throws(Failure) -> Range<UInt64>? {
        let searching = try FileWindow(file, size: 1 << 20)
        let size = UInt64(SeekTable.footerSize)
        var start = range.lowerBound
        while start + size <= range.upperBound {
            let bytes = try searching.bytes(at: start, atLeast: size)
            guard let index = SeekTable.firstFooter(in: bytes.bytes) else {
                start += UInt64(bytes.count - SeekTable.footerSize + 1)
                continue
            }
            let end = start + UInt64(index) + size
            if end > range.upperBound { return nil }
            if let place = try window.table(endingAt: end), place.lowerBound >= range.lowerBound { return place }
            start += UInt64(index) + 1
        }
        return nil
    }
}

extension FileWindow {
    /// The seek table that ends at an offset, by its header and its footer; nil if there is none.
    func table(endingAt end: UInt64) throws(Failure) -> Range<UInt64>? {
        guard let size = try tableSize(endingAt: end), size <= end else { return nil }
        let header = try bytes(at: end - size, atLeast: UInt64(FrameFormat.skippableHeaderSize)).bytes
        guard SeekTable.isMagic(header.extracting(first: 4)),
            UInt64(header.littleEndian(at: 4, as: UInt32.self)) + UInt64(FrameFormat.skippableHeaderSize) == size
        else { return nil }
        return end - size..<end
    }

    /// The header of a stream at an offset; nil if there is none.
    func streamHeader(at offset: UInt64) throws(Failure) -> StreamHeader? {
        let bytes = try bytes(at: offset, atLeast: UInt64(StreamHeader.encodedSize)).bytes
        return StreamHeader(bytes.extracting(first: StreamHeader.encodedSize))
    }
}

extension DamagedFile {
    /// Whether a seek table ends at an offset.
    package func endsInTable(at end: UInt64) throws(Failure) -> Bool {
        try FileWindow(self, size: 64).table(endingAt: end) != nil
    }

    /// Where the frame ends that begins at an offset; nil if it is not whole.
    package func frameEnd(from offset: UInt64) throws(Failure) -> UInt64? {
        let found = try FoundFrame(from: offset, in: FileWindow(forWalkOver: self))
        return found.isWhole ? found.end : nil
    }
}
