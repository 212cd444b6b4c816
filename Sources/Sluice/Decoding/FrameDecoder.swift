internal import ByteStreams
internal import ZstdCodec

/// Decompresses frames that come in parts. It finds their ends by itself: what the cutter found is not handed on.
struct FrameDecoder: ~Copyable {
    private let limits: DecodingLimits
    private var decompressor: Decompressor
    private var scanner: CheckedScanner
    /// Where the frame begins in the input.
    private var frameOffset: UInt64 = 0
    /// Bytes at the start of what comes next that were scanned, and whether the frame ends with them.
    private var scanned = (count: 0, isEnd: false)

    /// Makes the checksums of frames; nil if libzstd does, or nobody.
    private let checksum: FrameChecksum?
    /// Whether the frame ends in a checksum that is made here.
    private var hasChecksum = false
    /// Bytes that the frame holds, if it says so.
    private var contentSize: UInt64?
    /// What the frame ends in, when that was scanned.
    private var storedChecksum: UInt32?
    /// Bytes of the frame's content that were written, and neither handed on nor added to the checksum.
    private var unhashed = 0
    /// Bytes of it that were handed on to the checksum.
    private var handedOn: UInt64 = 0

    /// For frames that are decoded on several cores; nil if none is.
    private let stages: Stages?
    /// The frame, if it is one of them.
    private var staged: StagedFrame?
    /// The frame, if it was one and there was a doubt.
    private var replay: FrameReplay?
    /// Bytes of the frame's header that libzstd has taken before it was known whose the frame is.
    private var headerBytes = 0
    private var isChosen = false
    /// The most bytes that several cores held.
    private var stagesMemory = 0
    /// Bytes of its header that are no block's.
    private var headerRest = 0

    var memory: Int { decompressor.memory + stagesMemory }

    /// - Parameters:
    ///   - dictionary: what frames may refer to.
    ///   - checksum: what makes the checksums of frames, from what is handed on; nil if libzstd does. Nobody does if
    ///     they are not verified.
    ///   - stages: what decodes frames on several cores; these need a checksum, and no dictionary.
    init(
        limits: DecodingLimits, dictionary: DecompressionDictionary? = nil, checksum: FrameChecksum? = nil,
        stages: Stages? = nil
    ) throws(Failure) {
        self.limits = limits
        self.stages = dictionary == nil && limits.verifiesChecksums && checksum != nil ? stages : nil
        self.checksum = limits.verifiesChecksums ? checksum : nil
        scanner = CheckedScanner(limits: limits)
        do {
            decompressor = try Decompressor(
                dictionary: dictionary, verifiesChecksums: limits.verifiesChecksums && checksum == nil)
        } catch {
            throw .codec(error)
        }
    }

    /// Begins a sequence of frames.
    ///
    /// - Parameter offset: where it lies in the input.
    mutating func begin(at offset: UInt64) {
        scanner = CheckedScanner(limits: limits, offset: offset)
    }

    /// Begins the next frame of it.
    mutating func beginFrame() throws(Failure) {
        frameOffset = scanner.offset
        scanned = (0, false)
        (hasChecksum, unhashed, handedOn) = (false, 0, 0)
        staged = nil
        replay = nil
        (isChosen, headerBytes, headerRest) = (false, 0, 0)
        checksum?.begin()
        try codec { () throws(CodecFailure) in try decompressor.begin() }
    }

    /// Memory for what comes next.
    func makeOutput() throws(Failure) -> OutputBuffer {
        if staged != nil, let output = staged?.makeOutput() { return output }
        return try OutputBuffer(capacity: Frame.segmentSize)
    }

    /// Decompresses a part of the frame.
    ///
    /// - Parameters:
    ///   - part: on return, what was not taken yet.
    ///   - isLast: whether nothing comes after it.
    ///   - start: bytes of `output` that were written before, and not handed on.
    /// - Returns: the bytes written to `output`, whether the frame has ended, and whether other memory is needed for
    ///   what may come.
    mutating func decode(
        _ part: inout UnsafeRawBufferPointer, isLast: Bool = false, into output: UnsafeMutableRawBufferPointer,
        from start: Int = 0
    ) throws(Failure) -> (written: Int, hasEnded: Bool, isFull: Bool) {
        precondition(unhashed <= start, "what was written was not handed on")
        if scanned.count == 0, !scanned.isEnd { try codec { () throws(CodecFailure) in try scan(part) } }
        if replay != nil { return try decodeAgain(&part, into: output, from: start) }
        if staged != nil { return try decodeInStages(&part, isLast: isLast, into: output) }
        if beginStages() { return (0, false, true) }
        let room = UnsafeMutableRawBufferPointer(rebasing: output[start...])
        return try codec { () throws(CodecFailure) in
            var frame = UnsafeRawBufferPointer(rebasing: part.prefix(scanned.count))
            let (written, isDone) = try decompressor.stream(&frame, into: room, offset: frameOffset)
            take(frame.count, &part)
            // Whoever decodes and whoever looks at blocks must see one end, or bytes are taken for what they are not.
            guard !isDone || decompressor.hasEnded == scanned.isEnd else {
                throw .corrupt(reason: "its end is not where its blocks end", offset: frameOffset)
            }
            let hasEnded = scanned.isEnd && isDone
            if hasChecksum { try hash(output[..<(start + written)], written, isLast: hasEnded) }
            return (written, hasEnded, start + written == output.count)
        }
    }

    /// Takes what was scanned, but for the last bytes of it.
    private mutating func take(_ rest: Int, _ part: inout UnsafeRawBufferPointer) {
        part = UnsafeRawBufferPointer(rebasing: part.dropFirst(scanned.count - rest))
        headerBytes = min(FrameHeader.mostBytes, headerBytes + scanned.count - rest)
        scanned.count = rest
    }

    /// Gives the frame to several cores, if it is one for them, as soon as its header tells.
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
        _ part: inout UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (written: Int, hasEnded: Bool, isFull: Bool) {
        let skipped = min(headerRest, scanned.count)
        headerRest -= skipped
        var frame = UnsafeRawBufferPointer(rebasing: part.prefix(scanned.count).dropFirst(skipped))
        let written = staged?.step(&frame, isEnd: isLast || scanned.isEnd, into: output)
        take(frame.count, &part)
        let hasEnded = scanned.isEnd && staged?.isDone == true
        guard let written else {
            return try beginAgain(behind: checksum?.finish(UnsafeRawBufferPointer(start: nil, count: 0)))
        }
        unhashed += written
        guard hasEnded, let checksum else { return (written, false, written > 0) }
        let before = checksum.finish(UnsafeRawBufferPointer(start: nil, count: 0))
        let isRight = checksum.finish(UnsafeRawBufferPointer(rebasing: output[..<written])) == storedChecksum
        guard isRight, contentSize == nil || contentSize == staged?.produced else {
            return try beginAgain(behind: before)
        }
        staged = nil
        unhashed = 0
        return (written, true, true)
    }

    /// Leaves the frame to libzstd, from its start.
    ///
    /// - Parameter checksum: of what was handed on.
    private mutating func beginAgain(behind checksum: UInt32?) throws(Failure) -> (Int, Bool, Bool) {
        guard let stages, let checksum else { preconditionFailure("there are no stages without a checksum") }
        staged = nil
        replay = try FrameReplay(stages.source, from: frameOffset, behind: handedOn, checksum: checksum)
        (unhashed, hasChecksum) = (0, false)
        return (0, false, true)
    }

    private mutating func decodeAgain(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, from start: Int
    ) throws(Failure) -> (written: Int, hasEnded: Bool, isFull: Bool) {
        let room = UnsafeMutableRawBufferPointer(rebasing: output[start...])
        let (written, isDone) = try replay?.decode(to: scanner.offset, into: room) ?? (0, true)
        guard isDone else { return (written, false, true) }
        // All that came of it was decoded.
        take(0, &part)
        guard scanned.isEnd || replay?.hasEnded == true else { return (0, false, false) }
        guard scanned.isEnd, replay?.hasEnded == true else {
            throw .codec(.corrupt(reason: "its end is not where its blocks end", offset: frameOffset))
        }
        replay = nil
        return (0, true, false)
    }

    /// Lets leave what was written: through the checksum, as long as the frame has not ended.
    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void) {
        // At the end of a frame everything before it has left.
        guard unhashed > 0, let checksum else { return leave() }
        checksum.append(piece.slice(piece.count - unhashed..<piece.count), then: leave)
        handedOn += UInt64(unhashed)
        unhashed = 0
    }

    /// Waits until everything that was handed on has left.
    func settle() { checksum?.settle() }

    /// Takes note of what was written last. Before the end of the frame leaves, its checksum has to be right.
    private mutating func hash(
        _ output: Slice<UnsafeMutableRawBufferPointer>, _ written: Int, isLast: Bool
    ) throws(CodecFailure) {
        unhashed += written
        guard isLast, let checksum else { return }
        let rest = UnsafeRawBufferPointer(rebasing: output.suffix(unhashed))
        unhashed = 0
        try decompressor.check(checksum.finish(rest), against: storedChecksum, offset: frameOffset)
    }

    private mutating func scan(_ part: UnsafeRawBufferPointer) throws(CodecFailure) {
        let (count, ended) = try scanner.scan(part)
        scanned = (count, ended != nil)
        storedChecksum = ended?.checksum
        let header = (ended ?? scanner.current)?.header
        hasChecksum = checksum != nil && replay == nil && header?.hasChecksum == true
        contentSize = header?.contentSize
    }

    /// States that the sequence ends here.
    ///
    /// - Throws: `truncated` within a frame, `missingSeekTable`.
    func finish() throws(Failure) {
        try codec(scanner.finish)
    }
}
