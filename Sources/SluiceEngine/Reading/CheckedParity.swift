internal import Parity

/// A file with parity whose blocks have all been checked: the streams that its parity describes.
///
/// Which part of the file a description speaks of is decided here alone. It counts only where the walk over frames is,
/// or can't be: not within a frame that may be another file's content. What has become of each byte is said by the list
/// of all of them (`FileElements`).
struct CheckedParity {
    typealias Region = ParityRegion<FileBlocks>

    /// A stream.
    struct Part {
        let region: Region
        let plan: RegionPlan
    }

    let file: DamagedFile
    let chain: FrameChain
    /// In order.
    private(set) var parts: [Part] = []
    /// The memory in bytes that a region would take which is left alone.
    private(set) var needed: Int?
    /// Where regions that are left alone begin, from the last one on.
    private(set) var leftAlone: [UInt64] = []
    /// Whether there are more streams than are looked at, or more that has rotted than is remembered.
    private(set) var isCut = false

    /// How much of a file is searched for descriptions where frames do not lead to them: parity of one set may follow
    /// one.
    private static let depth: UInt64 = 640 << 20
    /// The most sets of all streams of a file: what is remembered of them is small, but not nothing.
    private static let mostSets = 1 << 16

    /// Whether a test of headers has no complaint, and all of it can be read.
    var isSound: Bool { chain.verdict.failure == nil && file.unreadable.isEmpty }

    /// - Parameters:
    ///   - file: the bytes of the source.
    ///   - limits: what the walk over frames accepts.
    ///   - mostMemory: regions that would take more are left alone, and what is remembered is limited to what they
    ///     leave; nil for any amount.
    ///   - budget: that of all regions; nil for the usual one.
    /// - Returns: nil if there is no parity.
    init?(
        _ file: DamagedFile, _ source: Source, _ latch: FailureLatch, _ limits: DecodingLimits, mostMemory: Int?,
        mostSets: Int = Self.mostSets, _ budget: SearchBudget? = nil
    ) throws(Failure) {
        self.file = file
        let size = file.size
        chain = try FrameChain(of: file, limits, ignoresZeros: source.ignoresZeros)
        let (blocks, budget) = (FileBlocks(file: file), budget ?? SearchBudget(for: size))
        var search = StreamSearch(blocks, depth: source.ranges == nil ? Self.depth : 0)
        // From the last one to the first, so that each ends where the next one has been found to begin.
        var (upper, least, sets) = (size, UInt64(0), 0)
        var next = try search.last(in: 0..<size, chain)
        while let found = next {
            least += found.description.leastSize
            sets += found.description.sets.count
            // All of them fit into the file, but for what is missing: more are forged.
            guard least <= size, sets <= mostSets else {
                isCut = true
                break
            }
            let end = min(found.input.lowerBound, UInt64(max(0, found.start)))
            next = try search.last(in: 0..<end, chain)
            let region = Region(blocks, found, budget)
            if region.memory > mostMemory ?? .max {
                needed = max(needed ?? 0, region.memory)
                leftAlone.append(UInt64(max(0, found.start)))
                continue
            }
            if let mostMemory { budget.limitRuns(to: mostMemory - region.memory) }
            try region.checkAll(latch)
            isCut = isCut || region.isBeyondBounds
            guard var plan = try plan(region, after: next, upTo: upper) else { continue }
            // Where bytes of it are missing, another stream ends after the place where it would begin.
            let missing = plan.front.last?.range.upperBound ?? 0
            let start = plan.input.lowerBound - min(plan.input.lowerBound, missing)
            if plan.input.lowerBound > end,
                let hidden = try search.other(than: found, in: end..<plan.input.lowerBound, upTo: start, chain)
            {
                next = hidden
                guard let again = try self.plan(region, after: next, upTo: upper) else { continue }
                plan = again
            }
            parts.append(Part(region: region, plan: plan))
            upper = plan.input.lowerBound
        }
        parts.reverse()
        if parts.isEmpty, needed == nil, !isCut { return nil }
    }

    /// What has become of a region.
    ///
    /// - Parameters:
    ///   - before: the stream before it.
    ///   - upper: where the stream after it begins.
    private func plan(
        _ region: Region, after before: FoundDescription?, upTo upper: UInt64
    ) throws(Failure) -> RegionPlan? {
        let lower = before?.input.upperBound ?? 0
        guard lower < upper, let plan = try region.plan(within: lower..<upper) else { return nil }
        return plan.isWithinFrame ? nil : plan
    }
}

extension RegionPlan {
    /// Whether a stream is the content of a frame, such as a file in an archive: before each 128 KiB of it there are
    /// the three bytes of a block's header. Parity of such a stream says nothing of the file.
    fileprivate var isWithinFrame: Bool {
        elements.count { $0.old.count - $0.new.count == FrameFormat.blockHeaderSize } > 1
    }
}

/// The bytes of a damaged file; sectors that can't be read count as zeros.
struct FileBlocks: ParityOrigin {
    typealias Failure = ByteStreams.Failure

    let file: DamagedFile

    var size: UInt64 { file.size }

    func read(at offset: UInt64, into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        try file.read(at: offset, into: memory)
    }

    func checkCancelled() throws(Failure) { try file.checkCancelled() }

    /// Bytes from an offset on; fewer at the end of the file.
    func bytes(at offset: UInt64, most: Int) throws(Failure) -> [UInt8] {
        try bytes(at: offset, count: min(most, Int(clamping: size - min(size, offset)))) ?? []
    }

    /// Whether a range has no other bytes.
    func areZeros(in range: Range<UInt64>) throws(Failure) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            let bytes = try bytes(at: start, most: min(1 << 20, Int(range.upperBound - start)))
            if !bytes.span.bytes.areZeros { return false }
            start += UInt64(bytes.count)
        }
        return true
    }

    /// Whether a frame begins like a description.
    func isDescription(at offset: UInt64, _ count: some BinaryInteger) throws(Failure) -> Bool {
        guard ParityDescription.mayHave(size: UInt64(count)) else { return false }
        let header = try bytes(at: offset, count: ParityFrame.headerSize)
        return header.map { ParityFrame.kind(of: $0.span.bytes) == .description } ?? false
    }
}
