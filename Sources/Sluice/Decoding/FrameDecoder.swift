/// Decompresses frames segment by segment. It finds their ends by itself.
struct FrameDecoder: ~Copyable {
    private let limits: DecodingLimits
    private var decompressor: Decompressor
    private var scanner: CheckedScanner
    /// Where the frame begins in the input.
    private var frameOffset: UInt64 = 0
    /// Scanned bytes at the start of the segment, and whether the frame ends with them.
    private var scanned = (count: 0, isEnd: false)

    /// Makes the checksums of frames; nil if libzstd does, or they are not verified.
    private let checksum: FrameChecksum?
    /// Whether the frame ends in a checksum that is made here.
    private var hasChecksum = false
    /// The frame, once it is scanned.
    private var ended: FrameScanner.Frame?
    /// Bytes of content that were written, and neither handed on nor hashed.
    private var unhashed = 0
    /// Bytes of content that were handed on to the checksum.
    private var handedOn: UInt64 = 0

    /// Decodes frames on several cores; nil if one core does.
    private let stages: Stages?
    /// The frame, while several cores decode it.
    private var staged: StagedFrame?
    /// What they took from the frame and left to libzstd.
    private var taken: TakenBlocks?
    /// Bytes of the frame's header that libzstd took before it was known which one decodes it.
    private var headerBytes = 0
    private var isChosen = false
    private var stagesMemory = 0
    /// Bytes of the header that several cores have to skip.
    private var headerRest = 0

    /// The most bytes that it held.
    var memory: Int { decompressor.memory + stagesMemory }

    /// Whether it has a window that is larger than several decoders may have.
    func holdsMore(than limits: DecodingLimits) -> Bool { memory > Int(clamping: limits.windowSize) + Stages.memory }

    /// - Parameters:
    ///   - checksum: makes the checksums of frames, from the output that is handed on; nil if libzstd does.
    ///   - stages: decode frames on several cores; they need a checksum, and no dictionary.
    init(
        limits: DecodingLimits, dictionary: DecompressionDictionary? = nil, checksum: FrameChecksum? = nil,
        stages: Stages? = nil
    ) throws(Failure) {
        self.limits = limits
        self.stages = dictionary == nil && limits.verifiesChecksums && checksum != nil ? stages : nil
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
        (frameOffset, scanned) = (scanner.offset, (0, false))
        (hasChecksum, unhashed, handedOn) = (false, 0, 0)
        staged = nil
        taken = nil
        (isChosen, headerBytes, headerRest) = (false, 0, 0)
        checksum?.begin()
        try codec(decompressor.begin())
    }

    func makeOutput() throws(Failure) -> OutputBuffer {
        if staged != nil, let output = staged?.makeOutput() { return output }
        return try OutputBuffer(capacity: Frame.segmentSize)
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
        _ segment: inout UnsafeRawBufferPointer, isLast: Bool = false, into output: UnsafeMutableRawBufferPointer,
        from start: Int = 0
    ) throws(Failure) -> (written: Int, hasEnded: Bool, isFull: Bool) {
        precondition(unhashed <= start, "output was not handed on")
        if scanned.count == 0, !scanned.isEnd { try codec(scan(segment)) }
        if staged != nil { return try decodeInStages(&segment, isLast: isLast, into: output) }
        if beginStages() { return (0, false, true) }
        let room = UnsafeMutableRawBufferPointer(rebasing: output[start...])
        var frame = UnsafeRawBufferPointer(rebasing: segment.prefix(scanned.count))
        let (written, isDone) = try codec(stream(&frame, into: room))
        take(frame.count, &segment)
        // Decoder and scanner must agree on the frame's end, or bytes would be misinterpreted.
        guard !isDone || decompressor.hasEnded == scanned.isEnd else {
            throw .codec(.corrupt(reason: "its end is not where its blocks end", offset: frameOffset))
        }
        let hasEnded = scanned.isEnd && isDone
        if hasChecksum { try codec(hash(output[..<(start + written)], written, isLast: hasEnded)) }
        return (written, hasEnded, start + written == output.count)
    }

    /// Gives libzstd bytes of the frame: first those that several cores left to it.
    private mutating func stream(
        _ frame: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(CodecFailure) -> (written: Int, isDone: Bool) {
        let before = try taken?.decode(with: &decompressor, into: room, offset: frameOffset)
        guard let before else { return try decompressor.stream(&frame, into: room, offset: frameOffset) }
        if before.isDone { taken = nil }
        return (before.written, before.isDone && frame.isEmpty)
    }

    /// Takes the scanned bytes, except the last `rest` of them.
    private mutating func take(_ rest: Int, _ segment: inout UnsafeRawBufferPointer) {
        segment = UnsafeRawBufferPointer(rebasing: segment.dropFirst(scanned.count - rest))
        headerBytes = min(FrameHeader.mostBytes, headerBytes + scanned.count - rest)
        scanned.count = rest
    }

    /// Gives the frame to several cores, if its header shows that it is worthwhile.
    private mutating func beginStages() -> Bool {
        guard !isChosen, let stages, let header = scanner.current?.header else { return false }
        isChosen = true
        staged = stages.begin(header, at: frameOffset)
        headerRest = header.size - headerBytes
        if staged == nil { return false }
        stagesMemory = max(stagesMemory, Stages.memory + Int(header.windowSize))
        return true
    }

    private mutating func decodeInStages(
        _ segment: inout UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (written: Int, hasEnded: Bool, isFull: Bool) {
        let skipped = min(headerRest, scanned.count)
        headerRest -= skipped
        var frame = UnsafeRawBufferPointer(rebasing: segment.prefix(scanned.count).dropFirst(skipped))
        let written = staged?.step(&frame, isEnd: isLast || scanned.isEnd, into: output)
        take(frame.count, &segment)
        let hasEnded = scanned.isEnd && staged?.isDone == true
        guard let written else {
            taken = try staged?.leave(to: &decompressor, output: output, offset: frameOffset)
            staged = nil
            return (0, false, true)
        }
        try codec(hash(output[..<written], written, isLast: hasEnded))
        if hasEnded { staged = nil }
        return (written, hasEnded, hasEnded || written > 0)
    }

    /// Tells that no more bytes come for now.
    ///
    /// - Returns: whether there may be output nevertheless.
    mutating func pause() -> Bool { staged?.pause() ?? false }

    /// Releases output: through the checksum, as long as the frame has not ended.
    mutating func handOn(_ output: Bytes, leave: @escaping @Sendable () -> Void) {
        // At the end of a frame all earlier output has left.
        guard unhashed > 0, let checksum else { return leave() }
        checksum.append(output.slice(output.count - unhashed..<output.count), then: leave)
        handedOn += UInt64(unhashed)
        unhashed = 0
    }

    func settle() { checksum?.settle() }

    /// Counts output for the checksum, which must be right before the end of the frame leaves.
    private mutating func hash(
        _ output: Slice<UnsafeMutableRawBufferPointer>, _ written: Int, isLast: Bool
    ) throws(CodecFailure) {
        unhashed += written
        guard isLast, let checksum else { return }
        // libzstd has compared the size of what it decoded alone.
        if let ended { try decompressor.check(handedOn + UInt64(unhashed), of: ended, offset: frameOffset) }
        let rest = UnsafeRawBufferPointer(rebasing: output.suffix(unhashed))
        unhashed = 0
        try decompressor.check(checksum.finish(rest), against: ended?.checksum, offset: frameOffset)
    }

    private mutating func scan(_ segment: UnsafeRawBufferPointer) throws(CodecFailure) {
        let count: Int
        (count, ended) = try scanner.scan(segment)
        scanned = (count, ended != nil)
        hasChecksum = checksum != nil && (ended ?? scanner.current)?.header?.hasChecksum == true
    }

    /// Ends the sequence.
    ///
    /// - Throws: `truncated` within a frame, `missingSeekTable`.
    func finish() throws(Failure) { try codec(scanner.finish()) }
}
