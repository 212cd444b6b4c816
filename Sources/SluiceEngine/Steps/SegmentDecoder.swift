internal import StagedDecoding

/// A decoder for streams of frames, and of members in the other known formats, segment by segment.
///
/// As in zstd's own command, the first bytes of each determine its format, so a file may continue in another format.
struct SegmentDecoder: ~Copyable {
    /// Bytes that the decoder of another format takes besides the window.
    private static let memoryBesidesWindow: UInt64 = 1 << 20

    private let limits: DecodingLimits
    private var frames: FrameDecoder
    /// The decoder of the last other format, to be used again.
    private var decoder: (any ForeignDecoder)?
    private var decoderFormat: ForeignFormat?
    private var decoderMemory = 0

    /// Whether the input ends with a member, so that one which has not ended there is damaged.
    private var endsWithMember = false
    /// Whether a frame or a member has begun and not ended.
    private var isWithin = false
    /// The format of the current or last member: nil for a frame.
    private var format: ForeignFormat?
    private var trailing: TrailingBytes
    /// Whether there was a member in another format since `begin`.
    private(set) var hasForeign = false
    /// The first bytes of the next frame or member, as far as they came.
    private var magic: [UInt8] = []
    /// The offset in the input, and that of the current member; the first one has `origin`.
    private var position: UInt64 = 0
    private var start: UInt64 = 0
    private var origin: UInt64 = 0
    /// Thrown once the output before it is handed out.
    private var failure: Failure?

    /// Where the ignored zeros begin that follow the last member up to the end.
    var zerosOffset: UInt64? { trailing.zerosOffset }

    /// Whether all that has come are whole frames and members.
    var isBetweenMembers: Bool { !isWithin && magic.isEmpty && zerosOffset == nil }

    /// The most bytes that it held.
    var memory: Int { frames.memory + decoderMemory }

    /// - Parameters:
    ///   - checksum: makes the checksums of frames, from the output that is handed on; nil if libzstd does.
    ///   - parallelDecoder: decodes frames on several cores; nil if one core does.
    ///   - listed: proves frames without a checksum, if `checksum` is there; nil if nothing does.
    ///   - ignoresZeros: whether zeros may follow any data, and not only that of gzip.
    init(
        limits: DecodingLimits, dictionary: DecompressionDictionary? = nil, checksum: FrameChecksum? = nil,
        parallelDecoder: StagedFrameThreads? = nil, listed: ListedContents? = nil, ignoresZeros: Bool = false
    ) throws(Failure) {
        (self.limits, trailing) = (limits, TrailingBytes(ignoresZeros: ignoresZeros))
        frames = try FrameDecoder(
            limits: limits, dictionary: dictionary, checksum: checksum, parallelDecoder: parallelDecoder, listed: listed
        )
    }

    /// Begins with new input.
    ///
    /// - Parameters:
    ///   - offset: where it begins, for errors.
    ///   - context: where within foreign data that is; nil at the beginning of a frame or a member that follows none.
    mutating func begin(at offset: UInt64 = 0, _ context: (any ChunkContext)? = nil) throws(Failure) {
        (isWithin, hasForeign, endsWithMember) = (false, false, false)
        (format, failure) = (nil, nil)
        trailing.zerosOffset = nil
        magic = []
        (position, start, origin) = (offset, offset, offset)
        switch context as? ForeignPlace {
        case .after(let last): format = last
        case .streams(let last): (format, endsWithMember) = (last, true)
        case .within(let place):
            (isWithin, format, start) = (true, .xz, place.start)
            try beginForeign(.xz, at: place)
        case nil: break
        }
    }

    func makeOutput() throws(Failure) -> OutputBuffer { try frames.makeOutput() }

    /// Decodes bytes of the input.
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes that are not taken yet.
    ///   - isLast: whether no bytes follow.
    /// - Returns: the bytes written to `output`, and whether all possible output was written.
    mutating func step(
        _ segment: inout RawSpan, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        if let failure { throw failure }
        var written = 0
        do throws(Failure) {
            let isDone = try decodeMembers(&segment, isLast: isLast, into: output, &written)
            if isDone, isLast { try finish() }
            return (written, isDone)
        } catch {
            failure = error
            // The output before the failure is handed out first; the next step throws.
            guard written > 0 else { throw error }
            return (written, false)
        }
    }

    mutating func pause() -> Bool { frames.pause() }

    mutating func handOn(_ output: Bytes, whenHashed: @escaping @Sendable () -> Void) {
        frames.handOn(output, whenHashed: whenHashed)
    }

    /// Decodes until the segment is taken or the output full.
    ///
    /// - Returns: whether the segment is taken, and all possible output was written.
    private mutating func decodeMembers(
        _ segment: inout RawSpan, isLast: Bool, into output: UnsafeMutableRawBufferPointer, _ written: inout Int
    ) throws(Failure) -> Bool {
        while written < output.count {
            if !isWithin {
                if zerosOffset == nil {
                    guard takeMagic(&segment) else { return true }
                    try beginMember(into: output, &written)
                }
                if zerosOffset != nil {
                    try trailing.check(segment, after: format)
                    segment = segment.extracting(last: 0)
                    return true
                }
            }
            let (hasEnded, needsOutput) = try decode(&segment, isLast: isLast, into: output, &written)
            isWithin = !hasEnded
            if needsOutput { return false }
            if isWithin, segment.isEmpty { return true }
        }
        return false
    }

    /// Takes the first bytes of the next frame or member; returns whether they are complete.
    private mutating func takeMagic(_ segment: inout RawSpan) -> Bool {
        while true {
            let count = min(ForeignFormat.magicSize - magic.count, segment.byteCount)
            magic.append(copying: segment.extracting(first: count))
            segment = segment.extracting(droppingFirst: count)
            guard magic.count == ForeignFormat.magicSize else { return false }
            // Streams of xz may be padded with zeros, four at a time.
            guard format == .xz, magic.allSatisfy({ $0 == 0 }) else { return true }
            position += UInt64(magic.count)
            magic = []
        }
    }

    private mutating func beginMember(
        into output: UnsafeMutableRawBufferPointer, _ written: inout Int
    ) throws(Failure) {
        start = position
        let next = ForeignFormat(magic: magic)
        if let next, next.isRead {
            try beginForeign(next)
        } else if FrameScanner.isFrame(magic.span.bytes) {
            // At the start and after another format, a new sequence of frames begins.
            if format != nil || start == origin { frames.begin(at: start) }
            try frames.beginFrame()
        } else {
            return try beginTrailing()
        }
        format = next
        let first = magic
        magic = []
        // The first bytes hold no content in any format.
        var rest = first.span.bytes
        _ = try decode(&rest, isLast: false, into: output, &written)
    }

    /// Treats the first bytes that have come as trailing ones, since no frame or member begins with them.
    private mutating func beginTrailing() throws(Failure) {
        try trailing.begin(magic, at: start, after: format, isFirst: start == origin)
        magic = []
    }

    private mutating func beginForeign(_ next: ForeignFormat, at place: XzPlace? = nil) throws(Failure) {
        if format == nil, start > origin { try frames.finish() }
        hasForeign = true
        if decoderFormat != next {
            let memoryLimit = min(limits.windowSize, .max - Self.memoryBesidesWindow) + Self.memoryBesidesWindow
            (decoder, decoderFormat) = (try foreign(next.makeDecoder(memoryLimit: memoryLimit)), next)
        }
        try foreign(decoder?.begin(at: place))
    }

    private mutating func decode(
        _ segment: inout RawSpan, isLast: Bool, into output: UnsafeMutableRawBufferPointer, _ written: inout Int
    ) throws(Failure) -> (hasEnded: Bool, needsOutput: Bool) {
        let before = segment.byteCount
        defer { position += UInt64(before - segment.byteCount) }
        guard let format else {
            let step = try frames.decode(&segment, isLast: isLast, into: output, from: written)
            written += step.written
            return (step.hasEnded, step.needsOutput)
        }
        var rest = segment
        var room = output.extracting(written...)
        // The content before a failure counts too.
        defer { written = output.count - room.count }
        var hasEnded = try foreign(decoder?.decode(&rest, into: &room, offset: start)) ?? true
        if isLast, !hasEnded, rest.isEmpty, !room.isEmpty {
            hasEnded = try foreign(decoder?.drain(into: &room, offset: start)) ?? true
        }
        // The caller repeats this until input or output is used up. Without progress, that would never end.
        let hasMoved = rest.byteCount < segment.byteCount || room.count < output.count - written
        guard hasEnded || hasMoved || rest.isEmpty || room.isEmpty else {
            throw .foreign(.corrupt(format, reason: "its decoder makes no progress", offset: start))
        }
        segment = rest
        decoderMemory = max(decoderMemory, decoder?.memory ?? 0)
        return (hasEnded, room.isEmpty)
    }

    private mutating func finish() throws(Failure) {
        if !magic.isEmpty {
            // The input ends within the first bytes of what would be another member: only zeros may do that.
            start = position
            try beginTrailing()
        }
        if zerosOffset != nil, format != nil { return }
        guard let format else { return try frames.finish() }
        guard isWithin, decoder?.mayEnd != true else { return }
        if endsWithMember { throw .foreign(.corrupt(format, reason: "it is damaged", offset: start)) }
        throw .foreign(.truncated(format, offset: position))
    }
}

extension ForeignPlace: ChunkContext {}
