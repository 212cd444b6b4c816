/// Decodes one large frame forward, in segments, and keeps its place: reading on does not start over.
struct FrameCursor: ~Copyable {
    private let index: FrameIndex
    private let position: Int
    private let entry: FrameIndex.Entry
    private let source: Source
    private var decoder: SegmentDecoder
    private let input: OutputBuffer
    private let output: OutputBuffer
    /// Bytes in `input` that were not decoded yet, and the place of the next ones in the file.
    private var rest = 0..<0
    private var next: UInt64
    /// The bytes of the content that `output` holds.
    private var segment: Range<UInt64>
    private let limits: DecodingLimits

    /// - Parameter position: the place of the entry in the index.
    init(_ position: Int, in index: FrameIndex, _ source: Source, _ decompression: Decompression) throws(Failure) {
        // All that may throw comes before the first stored property of a noncopyable type.
        var decoder = try SegmentDecoder(limits: decompression.ownLimits, dictionary: decompression.dictionary)
        try decoder.begin(at: index[position].input.lowerBound)
        let input = try OutputBuffer(capacity: SegmentCutter.segmentSize)
        let output = try OutputBuffer(capacity: SegmentCutter.segmentSize)
        self.decoder = decoder
        self.input = input
        self.output = output
        let entry = index[position]
        limits = decompression.limits
        (self.index, self.position, self.entry, self.source) = (index, position, entry, source)
        (next, segment) = (entry.input.lowerBound, entry.content.lowerBound..<entry.content.lowerBound)
    }

    /// Whether its window is so large that others may find no room for theirs.
    var hasLargeWindow: Bool { limits.isLarge(decoder.memory) }

    /// The bytes to decode before a place; nil if the place was passed, or is in another frame.
    func distance(to offset: UInt64, in position: Int) -> UInt64? {
        position == self.position && offset >= segment.lowerBound ? offset - segment.lowerBound : nil
    }

    /// Decodes up to some bytes of the content, and copies those to memory that has room for them.
    mutating func read(_ wanted: Range<UInt64>, into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        let start = wanted.lowerBound
        var wanted = wanted
        while !wanted.isEmpty {
            let here = wanted.clamped(to: segment)
            if here.isEmpty {
                try advance()
                continue
            }
            let (first, last) = (here.lowerBound - segment.lowerBound, here.upperBound - segment.lowerBound)
            let source = output.memory.extracting(Int(first)..<Int(last))
            memory.extracting(Int(here.lowerBound - start)...).copyMemory(from: UnsafeRawBufferPointer(source))
            wanted = here.upperBound..<wanted.upperBound
        }
    }

    /// Decodes the next segment.
    private mutating func advance() throws(Failure) {
        if rest.isEmpty {
            let end = min(next + UInt64(SegmentCutter.segmentSize), entry.input.upperBound)
            rest = 0..<Int(end - next)
            try source.read(next..<end, into: input.memory.extracting(rest))
            next = end
        }
        var undecoded = input.memory.bytes.extracting(rest)
        let isLast = next == entry.input.upperBound
        let (written, isDone) = try decoder.step(&undecoded, into: output.memory, isLast: isLast)
        rest = rest.upperBound - undecoded.byteCount..<rest.upperBound
        segment = segment.upperBound..<segment.upperBound + UInt64(written)
        if written == 0, isDone, isLast {
            let what = "the frame holds less than \(entry.content.count) bytes"
            throw .codec(index.contradicted(by: what, at: entry.input.lowerBound))
        }
    }
}
