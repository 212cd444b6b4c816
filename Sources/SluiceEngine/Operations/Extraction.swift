/// Decompresses ranges of content, joined in the order in which they are given.
///
/// From a file, only the frames that hold them are read; these are found by its seek table, from header to header, or
/// by an index. If frames don't state their content size, or the source is not a file, everything up to the last needed
/// byte is decoded, and the rest is not read. Bytes after the end are left out; a run that finds none of the bytes
/// fails with `nothingThere`.
package struct Extraction: DecodingOperation {
    private let ranges: [ContentRange]
    package var decompression: Decompression
    private let frames: Frames
    /// The most bytes of content that are held of a source that is read in order.
    private let mostHeld: UInt64?

    /// Where the frames are.
    private enum Frames {
        /// The source of a share must not change during the run, because others decompress the rest of it.
        case known(FrameIndex, isShare: Bool)
        case sought(IndexFile?, didFind: @Sendable (FrameSearchMethod) -> Void)
    }

    /// - Parameters:
    ///   - ranges: of a source that is read in order, those that are counted from the end, or go back, are held until
    ///     all has come.
    ///   - decompression: how frames are decoded.
    ///   - indexFile: an index that is read, or made by decoding everything once, if the frames can't be found without
    ///     it.
    ///   - mostHeld: the most bytes of ranges that are held; nil for half of the available memory.
    ///   - didFind: receives how the frames were found, before anything is written.
    package init(
        _ ranges: [ContentRange], _ decompression: Decompression = Decompression(), indexFile: IndexFile? = nil,
        mostHeld: UInt64? = nil, didFind: @escaping @Sendable (FrameSearchMethod) -> Void = { _ in }
    ) {
        self.ranges = ranges
        self.decompression = decompression
        frames = .sought(indexFile, didFind: didFind)
        self.mostHeld = mostHeld
    }

    /// Decompresses one of several shares of content, and reads only its frames. They are verified, and must match the
    /// headers or the seek table.
    ///
    /// The run fails with `sourceChanged` if the source changes during it.
    ///
    /// - Parameters:
    ///   - content: the content of the run's source.
    ///   - header: bytes from the start of the content that precede every share.
    package init(
        _ share: PartNumber, of content: ContentShares, after header: UInt64 = 0,
        _ decompression: Decompression = Decompression()
    ) {
        let place = content.bytes(of: share)
        let rest = max(place.lowerBound, min(header, place.upperBound))..<place.upperBound
        let ranges = [0..<header, rest].filter { !$0.isEmpty }.map {
            ContentRange(.offset($0.lowerBound), count: UInt64($0.count))
        }
        self.init(
            ranges.isEmpty ? [ContentRange(.offset(place.lowerBound), count: 0)] : ranges, decompression,
            index: content.index, isShare: true)
    }

    /// Decompresses ranges of content whose frames are known.
    package init(_ ranges: [ContentRange], of content: ContentShares, _ decompression: Decompression) {
        self.init(ranges, decompression, index: content.index, isShare: true)
    }

    /// Decompresses ranges of a file whose frames are known.
    package init(_ ranges: [ContentRange], _ decompression: Decompression, index: FrameIndex?, isShare: Bool = false) {
        self.ranges = ranges
        self.decompression = decompression
        mostHeld = nil
        frames = index.map { .known($0, isShare: isShare) } ?? .sought(nil) { _ in }
    }

    package func memory(of size: RunSize) -> Int {
        guard case .known(let index, _) = frames else { return decompression.memory(of: size) }
        return decompression.memory(of: size) + index.memory
    }

    package func run(on engine: Engine) throws(Failure) {
        switch frames {
        case .known(let index, let isShare):
            try run(on: engine, index)
            if isShare { try engine.reader.source.checkUnchanged() }
        case .sought(let indexFile, let didFind): try search(on: engine, indexFile, didFind)
        }
    }

    private func search(on engine: Engine, _ indexFile: IndexFile?, _ didFind: (FrameSearchMethod) -> Void)
        throws(Failure)
    {
        let source = engine.reader.source
        var found: (index: FrameIndex, method: FrameSearchMethod)?
        // Files in /proc report a size of 0, which means nothing.
        let hasFrames = source.canBeSearched && CompressedInput(source).foreignFormat == nil
        if hasFrames {
            let search = FrameSearch(
                source: source, verifiesChecksums: decompression.limits.verifiesChecksums, indexFile: indexFile)
            found = try search.index(reaching: ranges.end, for: ranges)
        }
        if found == nil, indexFile != nil || ranges.ascending == nil {
            guard hasFrames else {
                if try engine.reader.peek(1).isEmpty { throw .codec(.empty) }
                if indexFile != nil { throw .onlyForward(isFile: source.isRandomAccess) }
                didFind(.fromStart)
                return try runHolding(on: engine)
            }
            found = (try engine.scanContent(decompression).index(of: source, keptIn: indexFile), .decoding)
        }
        didFind(found?.method ?? .fromStart)
        let filter = if let found { try run(on: engine, found.index) } else { try runFromStart(on: engine) }
        if filter.count == 0, !ranges.allSatisfy(\.mayBeEmpty) {
            throw .nothingThere(contentSize: found?.index.contentSize ?? filter.position)
        }
    }

    @discardableResult
    private func run(on engine: Engine, _ index: FrameIndex) throws(Failure) -> RangeFilter {
        let selection = RangeSelection(ranges.map { $0.resolved(in: index.contentSize) }, index: index)
        let filter = RangeFilter(selection)
        engine.writer.pass(through: filter)
        // By whatever name it was called: zstd has no ranges.
        var decompression = decompression
        decompression.comparesTable = true
        let limits = decompression.ownLimits
        var cutter = RangeCutter(
            reader: engine.reader, index: index, selection: selection, room: decompression.chunks(on: engine),
            isOver: { filter.isComplete })
        engine.reader.expect(cutter.ranges)
        try decompression.decode(&cutter, within: limits, expecting: .index(index), on: engine)
        return filter
    }

    /// Decodes everything, and holds what belongs to the ranges until it is known which bytes these are.
    private func runHolding(on engine: Engine) throws(Failure) {
        let most = mostHeld ?? (AvailableMemory.now().map { $0.bytes / 2 } ?? .max)
        let filter = HeldRanges(ranges, most: most)
        engine.writer.pass(through: filter)
        try decompression.run(on: engine)
        if filter.count == 0, !ranges.allSatisfy(\.mayBeEmpty) { throw .nothingThere(contentSize: filter.position) }
    }

    /// Decodes everything up to the last byte that is needed.
    private func runFromStart(on engine: Engine) throws(Failure) -> RangeFilter {
        let reader = engine.reader
        // Ends the reader, which would read on or wait for input.
        let filter = RangeFilter(RangeSelection(ranges.ascending ?? [])) { [weak reader] in reader?.end() }
        engine.writer.pass(through: filter)
        if !filter.isComplete { try decompression.run(on: engine) }
        return filter
    }
}

/// A filter that passes on the bytes of a selection.
final class RangeFilter: ContentFilter {
    private let state: Locked<(selection: RangeSelection, count: UInt64)>
    private let whenComplete: @Sendable () -> Void

    /// - Parameter whenComplete: runs when the last byte has come, unless there is none.
    init(_ selection: RangeSelection, whenComplete: @escaping @Sendable () -> Void = {}) {
        state = Locked((selection, 0))
        self.whenComplete = whenComplete
    }

    /// Bytes of the selection so far.
    var count: UInt64 { state.withLock { $0.count } }
    /// Bytes of the content so far.
    var position: UInt64 { state.withLock { $0.selection.position } }
    var isComplete: Bool { state.withLock { $0.selection.isComplete } }

    func take(_ bytes: Bytes, isContinued: Bool) -> Bytes {
        let (ranges, isDone) = state.withLock { state in
            let wasComplete = state.selection.isComplete
            let ranges = state.selection.take(UInt64(bytes.count), isLast: !isContinued)
            for range in ranges { state.count += UInt64(range.count) }
            return (ranges, state.selection.isComplete && !wasComplete)
        }
        if isDone { whenComplete() }
        return ranges == [0..<bytes.count] ? bytes : Bytes(joining: ranges.map(bytes.slice))
    }
}

extension IndexCollector {
    /// The index of a file whose content was decoded. It is also written if there is an index file.
    ///
    /// - Throws: `onlyForward` if parts of the file are in another format; what `IndexFile.write` throws.
    func index(of source: Source, keptIn file: IndexFile?) throws(Failure) -> FrameIndex {
        guard let size = source.size, let index = index(to: size) else { throw .onlyForward(isFile: true) }
        try file?.write(index, of: source, marks: marks)
        return index
    }
}
