/// Hands on a frame that is too large to be held in segments, reading each from its place in the file.
struct SegmentFeed {
    /// The frame that has begun, and its range.
    private var current: (segments: SegmentQueue, input: Range<UInt64>)?

    /// Begins a frame of a file, whose segments `run` reads.
    mutating func begin(
        _ input: Range<UInt64>, of source: Source, in room: ChunkRoom
    ) throws(Failure) -> Chunk {
        let segments = try room.segments(window: source.windowSize(ofFrameAt: input.lowerBound))
        current = (segments, input)
        return Chunk(.segments(segments), at: input.lowerBound)
    }

    /// Reads the current frame, if there is one, to its end or until `isOver`.
    mutating func run(
        until isOver: () -> Bool = { false }, _ read: (Range<UInt64>) throws(Failure) -> Bytes
    ) throws(Failure) {
        guard let (segments, input) = current else { return }
        current = nil
        var place = input.lowerBound
        try segments.fill { () throws(Failure) in
            if place == input.upperBound || isOver() { return nil }
            let end = min(input.upperBound, place + UInt64(SegmentCutter.segmentSize))
            defer { place = end }
            return try read(place..<end)
        }
    }

    func cancel() { current?.segments.fail(.cancelled) }
}
