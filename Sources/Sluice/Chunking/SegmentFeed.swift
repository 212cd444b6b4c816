/// Hands on a frame that is too large to be held in segments, reading each from its place in the file.
struct SegmentFeed {
    /// The frame, and the range of it that was not read yet.
    private var current: (segments: SegmentQueue, rest: Range<UInt64>)?

    /// Begins a frame of a file, whose segments `run` reads.
    mutating func begin(
        _ input: Range<UInt64>, of source: Source, in room: inout ChunkRoom
    ) throws(Failure) -> Chunk.Content {
        let segments = try room.segments(window: source.windowSize(ofFrameAt: input.lowerBound))
        current = (segments, input)
        return .segments(segments, offset: input.lowerBound)
    }

    /// Reads the rest of the current frame, if there is one, or until `isOver`.
    mutating func run(
        until isOver: () -> Bool = { false }, _ read: (Range<UInt64>) throws(Failure) -> Bytes
    ) throws(Failure) {
        while let (segments, rest) = current {
            if rest.isEmpty || isOver() {
                segments.close()
                current = nil
                return
            }
            let end = min(rest.upperBound, rest.lowerBound + UInt64(SegmentCutter.segmentSize))
            do throws(Failure) {
                try segments.push(try read(rest.lowerBound..<end))
                current = (segments, end..<rest.upperBound)
            } catch {
                segments.fail(error)
                current = nil
                throw error
            }
        }
    }

    mutating func cancel() {
        current?.segments.fail(.cancelled)
        current = nil
    }
}
