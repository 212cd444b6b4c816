/// Hands on the whole input as the segments of one chunk.
struct SegmentCutter: ChunkCutter {
    /// Bytes per read.
    static let segmentSize = 1 << 20

    private let reader: InputReader
    private let segments: SegmentQueue
    private let contentHash: ContentHash?
    /// Bytes to hand on at most.
    private let length: UInt64
    private var hasBegun = false

    /// - Parameter length: bytes of the content, if it ends before the input does; no more are read.
    init(_ reader: InputReader, slots: Slots, contentHash: ContentHash?, length: UInt64? = nil) {
        (self.reader, self.contentHash, self.length) = (reader, contentHash, length ?? .max)
        segments = SegmentQueue(slots)
    }

    mutating func next() throws(Failure) -> Chunk? {
        if !hasBegun {
            hasBegun = true
            return Chunk(.segments(segments), at: 0)
        }
        var rest = length
        // `fill` ends the chunk with the failure, which its worker then reports.
        try? segments.fill { () throws(Failure) in
            guard rest > 0, let bytes = try reader.read(Int(min(UInt64(Self.segmentSize), rest))) else { return nil }
            rest -= UInt64(bytes.count)
            contentHash?.appendInTurn(bytes)
            return bytes
        }
        return nil
    }

    func cancel() { segments.fail(.cancelled) }
}

/// Hands on a frame that is too large to be held: in segments, each read from its place in the file.
struct SegmentFeed {
    /// The frame that has begun, and its range.
    private var current: (segments: SegmentQueue, input: Range<UInt64>)?

    /// Begins a frame of a file, whose segments `run` reads.
    mutating func begin(_ input: Range<UInt64>, of source: Source, in room: ChunkCapacity) throws(Failure) -> Chunk {
        let segments = try room.segments(window: CompressedInput(source).windowSize(ofFrameAt: input.lowerBound))
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
