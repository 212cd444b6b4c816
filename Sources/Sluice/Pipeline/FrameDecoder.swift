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
    /// The last four bytes that were scanned: at the end of a frame its checksum, if it has one.
    private var lastBytes: UInt32 = 0
    /// Bytes of the frame's content that were written, and neither handed on nor added to the checksum.
    private var unhashed = 0

    var memory: Int { decompressor.memory }

    /// - Parameters:
    ///   - dictionary: what frames may refer to.
    ///   - checksum: what makes the checksums of frames, from what is handed on; nil if libzstd does. Nobody does if
    ///     they are not verified.
    init(
        limits: DecodingLimits, dictionary: DecompressionDictionary? = nil, checksum: FrameChecksum? = nil
    ) throws(Failure) {
        self.limits = limits
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
        (hasChecksum, unhashed) = (false, 0)
        checksum?.begin()
        try codec { () throws(CodecFailure) in try decompressor.begin() }
    }

    /// Decompresses a part of the frame.
    ///
    /// - Parameters:
    ///   - part: on return, what was not taken yet.
    ///   - start: bytes of `output` that were written before, and not handed on.
    /// - Returns: the bytes written to `output`, and whether the frame has ended.
    mutating func decode(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, from start: Int = 0
    ) throws(Failure) -> (written: Int, hasEnded: Bool) {
        precondition(unhashed <= start, "what was written was not handed on")
        let room = UnsafeMutableRawBufferPointer(rebasing: output[start...])
        return try codec { () throws(CodecFailure) in
            if scanned.count == 0, !scanned.isEnd { try scan(part) }
            var frame = UnsafeRawBufferPointer(rebasing: part.prefix(scanned.count))
            let (written, isDone) = try decompressor.stream(&frame, into: room, offset: frameOffset)
            part = UnsafeRawBufferPointer(rebasing: part.dropFirst(scanned.count - frame.count))
            scanned.count = frame.count
            // Whoever decodes and whoever looks at blocks must see one end, or bytes are taken for what they are not.
            guard !isDone || decompressor.hasEnded == scanned.isEnd else {
                throw .corrupt(reason: "its end is not where its blocks end", offset: frameOffset)
            }
            let hasEnded = scanned.isEnd && isDone
            if hasChecksum { try hash(output[..<(start + written)], written, isLast: hasEnded) }
            return (written, hasEnded)
        }
    }

    /// Lets leave what was written: through the checksum, as long as the frame has not ended.
    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void) {
        // At the end of a frame everything before it has left.
        guard unhashed > 0, let checksum else { return leave() }
        checksum.append(piece.slice(piece.count - unhashed..<piece.count), then: leave)
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
        try decompressor.check(checksum.finish(rest), against: lastBytes, offset: frameOffset)
    }

    private mutating func scan(_ part: UnsafeRawBufferPointer) throws(CodecFailure) {
        let (count, ended) = try scanner.scan(part)
        scanned = (count, ended != nil)
        for byte in part[..<count].suffix(4) { lastBytes = lastBytes >> 8 | UInt32(byte) << 24 }
        hasChecksum = checksum != nil && (ended ?? scanner.current)?.header?.hasChecksum == true
    }

    /// States that the sequence ends here.
    ///
    /// - Throws: `truncated` within a frame, `missingSeekTable`.
    func finish() throws(Failure) {
        try codec(scanner.finish)
    }
}
