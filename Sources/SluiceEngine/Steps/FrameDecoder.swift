internal import Dispatch
internal import StagedDecoding
internal import Synchronization

/// A decoder that decompresses frames segment by segment, and finds their ends by itself.
struct FrameDecoder: ~Copyable {
    private let limits: DecodingLimits
    private var decompressor: Decompressor
    private var scanner: CheckedScanner
    /// Makes the checksums of frames; nil if libzstd does, or they are not verified.
    private let checksum: FrameChecksum?
    /// Decodes frames on several cores; nil if one core does.
    private let parallelDecoder: StagedFrameThreads?
    /// Proves frames without a checksum; nil if nothing does.
    private let listed: ListedContents?
    private var stagesMemory = 0
    private var state = State(offset: 0)

    /// The progress of one frame.
    private struct State: ~Copyable {
        /// Where it begins in the input.
        let offset: UInt64
        /// Scanned bytes at the start of the segment.
        var scanned = 0
        /// The frame, if it ends with them.
        var ended: FrameScanner.Frame?
        /// Whether libzstd may have output that it had no room for.
        var hasOutput = false
        /// Whether a checksum of its content is made here.
        var hasChecksum = false
        /// What a seek table lists of it, if it has no checksum of its own.
        var listed: ListedContents.Entry?
        var hasSoughtListed = false
        /// Bytes of content that were written.
        var content: UInt64 = 0
        /// Those of them that were neither handed on nor hashed.
        var unhashed = 0

        /// Whether the choice between one core and several was made.
        var isChosen = false
        /// The frame, while several cores decode it.
        var staged: StagedFrame?
        /// Bytes of the frame that the cores took, and left to libzstd.
        var taken = Bytes()

        init(offset: UInt64) { self.offset = offset }
    }

    /// The most bytes that it held.
    var memory: Int { decompressor.memory + stagesMemory }

    /// - Parameters:
    ///   - checksum: makes the checksums of frames, from the output that is handed on; nil if libzstd does.
    ///   - parallelDecoder: decodes frames on several cores, which needs `checksum`, and no dictionary.
    ///   - listed: proves frames without a checksum, which needs `checksum`.
    init(
        limits: DecodingLimits, dictionary: DecompressionDictionary? = nil, checksum: FrameChecksum? = nil,
        parallelDecoder: StagedFrameThreads? = nil, listed: ListedContents? = nil
    ) throws(Failure) {
        self.limits = limits
        self.listed = limits.verifiesChecksums && checksum != nil ? listed : nil
        self.parallelDecoder = dictionary == nil && limits.verifiesChecksums && checksum != nil ? parallelDecoder : nil
        self.checksum = limits.verifiesChecksums ? checksum : nil
        scanner = CheckedScanner(limits: limits)
        decompressor = try codec(
            Decompressor(dictionary: dictionary, verifiesChecksums: limits.verifiesChecksums && checksum == nil))
    }

    /// Begins a sequence of frames.
    ///
    /// - Parameter offset: where it begins in the input.
    mutating func begin(at offset: UInt64) { scanner = CheckedScanner(limits: limits, offset: offset) }

    mutating func beginFrame() throws(Failure) {
        state = State(offset: scanner.offset)
        checksum?.begin()
        try codec(decompressor.begin())
    }

    func makeOutput() throws(Failure) -> OutputBuffer {
        if state.staged != nil, let output = try state.staged?.makeOutput() { return output }
        return try OutputBuffer(capacity: ChunkResult.segmentSize)
    }

    /// Decompresses bytes of the frame.
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes that are not taken yet.
    ///   - isLast: whether no bytes follow.
    ///   - start: bytes of `output` that were written before, and not handed on.
    /// - Returns: the bytes written to `output`, whether the frame has ended, and whether the next step needs other
    ///   memory.
    mutating func decode(
        _ segment: inout RawSpan, isLast: Bool = false, into output: UnsafeMutableRawBufferPointer,
        from start: Int = 0
    ) throws(Failure) -> (written: Int, hasEnded: Bool, needsOutput: Bool) {
        precondition(state.unhashed <= start, "output was not handed on")
        // Bytes that were scanned before, and are not decoded yet, must not be scanned again.
        if state.scanned == 0, state.ended == nil, try !scan(&segment) { return (0, false, false) }
        if state.staged != nil { return try decodeInStages(&segment, isLast: isLast, into: output) }
        if beginStages(&segment) { return (0, false, true) }
        let room = output.extracting(start...)
        var frame = segment.extracting(first: state.scanned)
        let isEnd = isLast && state.scanned == segment.byteCount
        let (written, isDone) = try stream(&frame, isLast: isEnd, into: room)
        state.hasOutput = !isDone
        take(allBut: frame.byteCount, of: &segment)
        // Decoder and scanner must agree on the frame's end, or bytes would be misinterpreted.
        guard !isDone || decompressor.hasEnded == (state.ended != nil) else {
            throw .codec(.corrupt(reason: "its end is not where its blocks end", offset: state.offset))
        }
        let hasEnded = state.ended != nil && isDone
        try count(written, isLast: hasEnded)
        if state.hasChecksum {
            try codec(hash(output.bytes.extracting(..<(start + written)), written, isLast: hasEnded))
        }
        return (written, hasEnded, start + written == output.count)
    }

    /// Gives libzstd bytes of the frame, first those that several cores left to it.
    private mutating func stream(
        _ frame: inout RawSpan, isLast: Bool, into room: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let taken = state.taken
        guard !taken.isEmpty else {
            return try codec(decompressor.stream(&frame, into: room, isLast: isLast, offset: state.offset))
        }
        var (left, written, isDone) = (0, 0, false)
        // There is one region, since they come in one buffer.
        try taken.forEachRegion { region throws(Failure) in
            var rest = region
            (written, isDone) = try codec(decompressor.stream(&rest, into: room, offset: state.offset))
            left = rest.byteCount
        }
        _ = state.taken.removeFirst(taken.count - left)
        return (written, isDone && frame.isEmpty)
    }

    /// Takes the scanned bytes, except the last `rest` of them.
    private mutating func take(allBut rest: Int, of segment: inout RawSpan) {
        segment = segment.extracting(droppingFirst: state.scanned - rest)
        state.scanned = rest
    }

    /// Gives the frame to several cores, from its blocks on, if its header shows that it is worthwhile.
    private mutating func beginStages(_ segment: inout RawSpan) -> Bool {
        guard !state.isChosen, let parallelDecoder, let header = scanner.current?.header else { return false }
        state.isChosen = true
        state.staged = parallelDecoder.begin(header, at: state.offset)
        if state.staged == nil { return false }
        take(allBut: Int(scanner.offset - state.offset) - header.size, of: &segment)
        stagesMemory = max(stagesMemory, StagedFrame.memory + Int(header.windowSize))
        return true
    }

    private mutating func decodeInStages(
        _ segment: inout RawSpan, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (written: Int, hasEnded: Bool, needsOutput: Bool) {
        var frame = segment.extracting(first: state.scanned)
        let written = state.staged?.step(&frame, isEnd: isLast || state.ended != nil, into: output)
        take(allBut: frame.byteCount, of: &segment)
        let hasEnded = state.ended != nil && state.staged?.isDone == true
        guard let written else {
            try leaveStages(output)
            return (0, false, true)
        }
        try count(written, isLast: hasEnded)
        try codec(hash(output.bytes.extracting(..<written), written, isLast: hasEnded))
        if hasEnded { state.staged = nil }
        return (written, hasEnded, hasEnded || written > 0)
    }

    /// Lets libzstd continue with the block that several cores refused.
    private mutating func leaveStages(_ output: UnsafeMutableRawBufferPointer) throws(Failure) {
        guard let rest = try state.staged?.leave(output: output) else { return }
        state.taken = rest.taken
        try codec(decompressor.begin())
        if let before = rest.state {
            try codec(
                decompressor.restore(
                    rest.header, after: before.window, at: before.ring, restoring: before.blocks, scratch: output,
                    offset: state.offset))
        }
        var left = 0
        try rest.taken.forEachRegion { region throws(Failure) in
            var frame = region
            try codec(decompressor.skip(rest.repeated, of: &frame, scratch: output, offset: state.offset))
            left = frame.byteCount
        }
        _ = state.taken.removeFirst(rest.taken.count - left)
        state.staged = nil
    }

    /// Notes that no more bytes come for now.
    ///
    /// - Returns: whether there may still be output.
    mutating func pause() -> Bool { state.staged?.pause() ?? false }

    /// Gives output to the checksum, which calls `whenHashed` when it has hashed it, after all earlier output.
    mutating func handOn(_ output: Bytes, whenHashed: @escaping @Sendable () -> Void) {
        // At the end of a frame, everything is hashed, and all earlier output has left.
        guard state.unhashed > 0, let checksum else { return whenHashed() }
        checksum.append(output.slice(output.count - state.unhashed..<output.count), then: whenHashed)
        state.unhashed = 0
    }

    /// Counts output; at the end of the frame, compares the size of its content with that in its header.
    private mutating func count(_ written: Int, isLast: Bool) throws(Failure) {
        state.content += UInt64(written)
        guard isLast, let ended = state.ended else { return }
        try codec(decompressor.check(state.content, of: ended, offset: state.offset))
    }

    /// Counts output that the checksum has to get. At the end of the frame, checks the checksum before this output
    /// leaves.
    private mutating func hash(_ output: RawSpan, _ written: Int, isLast: Bool) throws(CodecFailure) {
        state.unhashed += written
        guard isLast, let checksum else { return }
        let rest = output.extracting(last: state.unhashed)
        state.unhashed = 0
        if let listed = state.listed {
            guard listed.input.upperBound == scanner.offset else { return }
            let statesSize = state.ended?.header?.contentSize != nil
            return try listed.check(size: state.content, statesSize: statesSize, checksum.finish(rest))
        }
        try decompressor.check(checksum.finish(rest), against: state.ended?.checksum, offset: state.offset)
    }

    /// - Returns: false if there is nothing but empty blocks, which are passed over: a frame may have millions of them,
    ///   and libzstd takes its time for each.
    private mutating func scan(_ segment: inout RawSpan) throws(Failure) -> Bool {
        if state.staged == nil, state.taken.isEmpty, !state.hasOutput {
            let skipped = scanner.skipEmptyBlocks(segment)
            segment = segment.extracting(droppingFirst: skipped)
            // libzstd takes a few calls without input for an error.
            if skipped > 0, segment.isEmpty { return false }
        }
        // They may also follow a header that was split between segments.
        let part = segment.extracting(first: scanner.restOfBlockHeader ?? segment.byteCount)
        (state.scanned, state.ended) = try codec(scanner.scan(part))
        let header = (state.ended ?? scanner.current)?.header
        if header?.hasChecksum == false, !state.hasSoughtListed {
            state.hasSoughtListed = true
            state.listed = try listed?.entry(at: state.offset)
        }
        state.hasChecksum = checksum != nil && header?.hasChecksum == true || state.listed != nil
        return true
    }

    /// Ends the sequence.
    ///
    /// - Throws: `truncated` within a frame, `missingSeekTable`.
    func finish() throws(Failure) { try codec(scanner.finish()) }
}

extension DecodingLimits {
    /// Whether a decoder that holds this many bytes has a window that only one decoder may have at a time.
    package func isLarge(_ memory: Int) -> Bool { memory - StagedFrame.memory > Int(clamping: windowSize) }
}

/// Computes the checksums of frames beside their decoder, on its own queue. Content leaves through that queue, and
/// keeps its slot until it is hashed.
///
/// A frame in segments is decoded by one core, which would spend a tenth of its time on the checksum
/// (docs/decisions/frame-boundaries.md).
final class FrameChecksum: Sendable {
    private let checksum: Mutex<ContentChecksum>
    private let queue = DispatchQueue(label: "sluice.checksum")
    private let underWay = DispatchGroup()

    /// - Throws: `outOfMemory`.
    init() throws(Failure) {
        checksum = try codec(Mutex(try ContentChecksum()))
    }

    func begin() {
        settle()
        checksum.withLock { $0.reset() }
    }

    /// Adds content of the frame.
    ///
    /// - Parameter whenHashed: runs when it is hashed.
    func append(_ content: Bytes, then whenHashed: @escaping @Sendable () -> Void) {
        queue.async(group: underWay) { [self] in
            content.forEachRegion { add($0) }
            whenHashed()
        }
    }

    /// Waits until all content has left.
    private func settle() { underWay.wait() }

    /// Adds the last bytes of the content, and waits for the checksum.
    func finish(_ rest: RawSpan = RawSpan()) -> UInt32 {
        settle()
        add(rest)
        return checksum.withLock { $0.value }
    }

    private func add(_ region: RawSpan) { checksum.withLock { $0.append(region) } }
}
