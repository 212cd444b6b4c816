/// Compresses content to one frame.
struct CompressTransform: Transform, ~Copyable {
    private var compressor: Compressor
    private let pool: BufferPool?
    /// Chooses the level; nil if it is fixed.
    private let adaptation: Adaptation?
    private var level: Int
    /// The frame of the last hole: most holes are as long as the one before.
    private var hole: ChunkResult?
    /// Proves each frame before it is handed on; nil if none is proved.
    private var proof: FrameProof?
    private let contentSize: UInt64?
    private let hasChecksum: Bool
    /// Receives what is consumed within a frame, and ends it if the run has failed; nil to make each in one go.
    private let progress: FrameProgress?
    /// Makes the checksums of frames and at checkpoints; nil if libzstd makes those of frames.
    private var checkpoints: ContentChecksum?

    /// - Parameters:
    ///   - pool: memory for frames, if there will be many.
    ///   - workers: libzstd's threads for a frame that comes in segments; 0 for whole chunks.
    ///   - contentSize: decompressed bytes of the frame that comes in segments, if they are known.
    ///   - adaptation: chooses the level, instead of the options.
    ///   - hasCheckpoints: whether whole chunks get them, if they get checksums.
    ///   - progress: receives what is consumed within a frame, and ends it if the run has failed.
    init(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, pool: BufferPool? = nil,
        workers: Int = 0, contentSize: UInt64? = nil, adaptation: Adaptation? = nil, hasCheckpoints: Bool = false,
        progress: FrameProgress? = nil
    ) throws(Failure) {
        var options = options
        hasChecksum = options.hasChecksum
        if hasCheckpoints, hasChecksum {
            checkpoints = try codec(ContentChecksum())
            options.hasChecksum = false
        }
        compressor = try codec(Compressor(options, workers: workers, dictionary: dictionary))
        (self.pool, self.adaptation, self.contentSize) = (pool, adaptation, contentSize)
        self.progress = progress
        level = options.level
    }

    /// Proves all frames from now on.
    mutating func verify(_ verification: Verification) throws(Failure) { proof = try FrameProof(verification) }

    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> ChunkResult {
        let (offset, bound) = (chunk.offset, chunk.bound)
        guard let count = chunk.hole else {
            return try buffer.withContiguous(chunk) { content throws(Failure) in
                try apply(content, bound: bound, offset: offset)
            }
        }
        if let hole, hole.sourceSize == count { return hole }
        let frame = try buffer.withContiguous(chunk) { content throws(Failure) in
            try apply(content, bound: bound, offset: offset)
        }
        // A copy, because the frame's memory is much larger than the frame, and bounded by slots.
        hole = ChunkResult(bytes: Bytes(frame.bytes.elements), sourceSize: frame.sourceSize, checksum: frame.checksum)
        return frame
    }

    /// Transforms content that is contiguous.
    ///
    /// - Parameters:
    ///   - bound: the most bytes that it becomes.
    ///   - offset: where it begins in the content of the run.
    mutating func apply(_ content: RawSpan, bound: Int, offset: UInt64) throws(Failure) -> ChunkResult {
        let output =
            if let pool, pool.capacity >= bound { try OutputBuffer(from: pool) } else {
                try OutputBuffer(capacity: bound)
            }
        let memory = output.memory
        // Computed now, while the content is in the processor's cache.
        let checksums = checkpoints?.checksums(of: content, from: offset)
        let turn = try adapt()
        var size = 0
        do {
            defer { end(turn, bytes: content.byteCount) }
            size = try compress(content, into: memory)
            if let checksums { size = FrameHeader.addChecksum(checksums.whole, to: memory, count: size) }
        }
        try proof?.prove(memory.bytes.extracting(..<size), of: content, at: offset)
        let checksum = hasChecksum ? UInt32(littleEndianBytes: memory[(size - 4)..<size]) : 0
        return ChunkResult(
            bytes: output.finish(count: size), sourceSize: content.byteCount, checksum: checksum,
            checkpoints: checksums?.atCheckpoints ?? [])
    }

    private mutating func compress(
        _ content: RawSpan, into memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        guard let progress else { return try codec(compressor.compress(content, into: memory)) }
        return try progress.frame { goesOn throws(Failure) in
            try codec(compressor.compress(content, into: memory, goesOn: goesOn))
        }
    }

    mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
        switch segment {
        case .start:
            try codec(compressor.begin(contentSize: contentSize))
            try proof?.begin()
        case .bytes(let content): try stream(content.bytes, isLast: false, to: &output)
        case .pause: break
        case .end: try stream(RawSpan(), isLast: true, to: &output)
        }
    }

    private mutating func stream(_ content: RawSpan, isLast: Bool, to output: inout SegmentOutput) throws(Failure) {
        var rest = content
        var isDone = false
        while !isDone {
            let before = rest
            let room = try output.room()
            let memory = room.memory
            let written: Int
            (written, isDone) = try compress(&rest, into: memory, isLast: isLast)
            let taken = before.extracting(droppingLast: rest.byteCount)
            try proof?.prove(memory.bytes.extracting(..<written), of: taken, isLast: isLast && isDone)
            try output.handOn(room, count: written, from: taken.byteCount)
        }
    }

    private mutating func compress(
        _ segment: inout RawSpan, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let turn = try adapt()
        let before = segment.byteCount
        defer { end(turn, bytes: before - segment.byteCount) }
        return try codec(compressor.stream(&segment, into: output, isLast: isLast))
    }

    /// Sets the level that suits the run now.
    private mutating func adapt() throws(Failure) -> Adaptation.Turn? {
        guard let turn = adaptation?.begin() else { return nil }
        guard turn.level != level else { return turn }
        level = turn.level
        try codec(compressor.setLevel(level))
        return turn
    }

    private func end(_ turn: Adaptation.Turn?, bytes: Int) {
        if let turn { adaptation?.end(turn, bytes: bytes) }
    }
}
