internal import ForeignCodec
internal import ZstdCodec

/// Cuts compressed input of every format that is read: frames into chunks, and a foreign format that follows into the
/// segments of one chunk, since only its decoder finds any structure in it.
struct FormatCutter: ChunkCutter {
    private var frames: FrameCutter
    private var rest: SegmentCutter?

    init(_ frames: FrameCutter) { self.frames = frames }

    var memory: FrameCutter.Memory {
        var memory = frames.memory
        if rest != nil { memory.firstSegment = max(memory.firstSegment, SegmentCutter.segmentSize) }
        return memory
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        if rest == nil {
            do throws(Failure) { return try frames.next() } catch { rest = try foreignRest(after: error) }
        }
        return try rest?.next()
    }

    /// The input behind the frames, if they ended because a foreign format begins.
    ///
    /// - Throws: the failure itself if it has another reason, or `notRead` with the format.
    private mutating func foreignRest(after failure: Failure) throws(Failure) -> SegmentCutter {
        switch failure.codecFailure {
        case .notZstandard, .trailingBytes: break
        default: throw failure
        }
        guard let format = ForeignFormat(magic: frames.peek(ForeignFormat.magicSize)) else { throw failure }
        let first = try frames.takeRest()
        guard format.isRead else { throw first.offset == 0 ? .foreign(.notRead(format)) : failure }
        return frames.makeSegmentCutter(from: first)
    }

    func cancel() {
        frames.cancel()
        rest?.cancel()
    }
}
