internal import StagedDecoding

/// Decompresses frames, and members of the other known formats.
struct DecompressTransform: Transform, ~Copyable {
    private var decompressor: Decompressor
    /// For segments: the cutter has checked whole frames.
    private let limits: DecodingLimits
    private let dictionary: DecompressionDictionary?
    /// Nil until the first segment comes.
    private var segments: SegmentDecoder?
    /// Whether the window of one frame that comes in segments is kept for the next.
    private let keepsWindow: Bool
    private let parallelDecoder: StagedFrameThreads?
    private let expected: ExpectedContent
    /// Proves frames without a checksum; nil if nothing does.
    private let listed: ListedContents?
    private let zeros: TrailingZeros
    /// The offset of the frame that comes in segments, and how many bytes of input and of content it has had so far.
    private var streamed = (offset: UInt64(0), input: UInt64(0), content: UInt64(0))
    /// The last four bytes of that input.
    private var ending: UInt32 = 0
    /// Whether what has come is whole frames and members.
    private(set) var mayEnd = true

    /// - Parameters:
    ///   - parallelDecoder: decodes large frames on several cores; nil if one core does.
    ///   - expected: how much content frames have.
    ///   - listed: proves frames without a checksum; nil if nothing does.
    ///   - zeros: says which zeros are ignored, and receives which were.
    init(
        limits: DecodingLimits, dictionary: DecompressionDictionary? = nil, keepsWindow: Bool = true,
        parallelDecoder: StagedFrameThreads? = nil, expecting expected: ExpectedContent = .anything,
        listed: ListedContents? = nil, zeros: TrailingZeros = TrailingZeros()
    ) throws(Failure) {
        decompressor = try codec(Decompressor(dictionary: dictionary, verifiesChecksums: limits.verifiesChecksums))
        (self.limits, self.dictionary, self.keepsWindow) = (limits, dictionary, keepsWindow)
        (self.parallelDecoder, self.expected, self.zeros) = (parallelDecoder, expected, zeros)
        self.listed = limits.verifiesChecksums ? listed : nil
    }

    /// If an index is expected, the chunk's bound is exactly the bytes of its content.
    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> ChunkResult {
        let (sourceSize, offset, isCut) = (chunk.count, chunk.offset, chunk.context is CutFrame)
        let output = try OutputBuffer(capacity: chunk.bound)
        let memory = output.memory
        var ending: UInt32 = 0
        let size = try buffer.withContiguous(chunk) { frames throws(Failure) in
            if isCut { return try codec(decompressor.decompressBeginning(frames, into: memory)) }
            ending = frames.ending(after: 0)
            return try decompress(frames, into: memory, offset: offset)
        }
        if case .collected(let collector) = expected {
            collector.note(offset, inputSize: UInt64(sourceSize), contentSize: UInt64(size), ending: ending)
        }
        return ChunkResult(bytes: output.finish(count: size), sourceSize: sourceSize)
    }

    /// Decompresses into memory that has room for the bound; returns the size of the content.
    mutating func decompress(
        _ frames: RawSpan, into memory: UnsafeMutableRawBufferPointer, offset: UInt64 = 0
    ) throws(Failure) -> Int {
        var size = memory.count
        if case .index(let index) = expected {
            try codec(decompressor.decompress(frames, from: offset, in: index, within: limits, into: memory))
        } else {
            size = try codec(decompressor.decompress(frames, into: memory, offset: offset))
        }
        try checkListed(memory)
        return size
    }

    /// Compares the frames that were just decoded and have no checksum with what the seek table lists of them.
    private func checkListed(_ content: UnsafeMutableRawBufferPointer) throws(Failure) {
        guard let listed else { return }
        for frame in decompressor.unchecked {
            try listed.check(content.bytes.extracting(frame.content), of: frame.input, statesSize: frame.statesSize)
        }
    }

    /// Reads and decodes the frames of an index entry, on the calling thread.
    ///
    /// - Returns: as many bytes as the entry says.
    /// - Throws: as `apply`; `reading`, `sourceShrank`.
    mutating func content(
        of position: Int, in index: FrameIndex, of source: Source, _ limits: DecodingLimits
    ) throws(Failure) -> Bytes {
        let entry = index[position]
        let input = try OutputBuffer(capacity: entry.input.count)
        try source.read(entry.input, into: input.memory)
        let frames = input.memory.bytes
        try codec(index.check(frames, ofEntry: position, within: limits))
        // Allocated only now, since an unchecked entry may claim any size.
        let output = try OutputBuffer(capacity: entry.content.count)
        output.populate()
        try codec(
            decompressor.decompress(
                frames, from: entry.input.lowerBound, in: index, within: limits, into: output.memory))
        try checkListed(output.memory)
        return output.finish(count: entry.content.count)
    }

    mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
        let nothing = RawSpan()
        switch segment {
        case .start(let offset, let context): try begin(at: offset, context)
        case .bytes(let bytes): try stream(bytes.bytes, isLast: false, to: &output)
        case .pause: if segments?.pause() == true { try stream(nothing, isLast: false, to: &output) }
        case .end: try stream(nothing, isLast: true, to: &output)
        }
    }

    private mutating func begin(at offset: UInt64, _ context: (any ChunkContext)?) throws(Failure) {
        if segments == nil {
            segments = try SegmentDecoder(
                limits: limits, dictionary: dictionary, checksum: FrameChecksum(), parallelDecoder: parallelDecoder,
                listed: listed, ignoresZeros: zeros.areExpected)
        }
        try segments?.begin(at: offset, context)
        (streamed, mayEnd) = ((offset, 0, 0), true)
    }

    private mutating func stream(_ bytes: RawSpan, isLast: Bool, to output: inout SegmentOutput) throws(Failure) {
        var rest = bytes
        var isDone = false
        while !isDone {
            let room = try output.room { () throws(Failure) in try segments?.makeOutput() }
            let before = rest.byteCount
            let written: Int
            (written, isDone) = try segments?.step(&rest, into: room.memory, isLast: isLast) ?? (0, true)
            streamed.input += UInt64(before - rest.byteCount)
            ending = bytes.extracting(..<(bytes.byteCount - rest.byteCount)).ending(after: ending)
            streamed.content += UInt64(written)
            if isDone, isLast { try finish() }
            try output.handOn(room, count: written, from: before - rest.byteCount) {
                segments?.handOn($0, whenHashed: $1)
            }
        }
        mayEnd = segments?.isBetweenMembers ?? true
        // A window that only a single frame may have is released: other workers have no room for one.
        if isLast, !keepsWindow || limits.isLarge(segments?.memory ?? 0) { segments = nil }
    }

    private mutating func finish() throws(Failure) {
        let (offset, input, content) = streamed
        if let offset = segments?.zerosOffset { zeros.note(offset) }
        switch expected {
        case .anything: break
        case .index(let index):
            guard let position = index.position(ofInput: offset) else { return }
            try codec(index.check(contentSize: content, ofEntry: position))
        case .collected(let collector):
            if segments?.hasForeign == true { collector.giveUp() }
            collector.note(offset, inputSize: input, contentSize: content, ending: ending)
        }
    }
}

extension RawSpan {
    /// The last four bytes of these and those before them, as a little-endian number.
    fileprivate func ending(after last: UInt32) -> UInt32 {
        let start = max(0, byteCount - 4)
        return (start..<byteCount).reduce(last) { $0 >> 8 | UInt32(self[$1]) << 24 }
    }
}
