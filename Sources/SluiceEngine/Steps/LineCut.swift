/// Ends chunks at line ends, so that frames and shares of content have whole lines.
///
/// A chunk ends after the first line end at or after each multiple of the frame size. Each end depends only on the
/// bytes there, so that the parts of a file are cut independently.
struct LineCut: ChunkCut {
    let frameSize: Int
    /// The last byte of a line.
    let lineEnd: UInt8
    /// Offsets in the whole content: of the first chunk, and of the current one.
    private var (origin, start) = (UInt64(0), UInt64(0))
    private(set) var position = 0

    /// - Parameter origin: bytes of the content before the first chunk.
    init(frameSize: Int, lineEnd: UInt8, origin: UInt64 = 0) {
        (self.frameSize, self.lineEnd, self.origin) = (frameSize, lineEnd, origin)
        begin(at: 0)
    }

    /// The most bytes of a chunk: a line as long as a frame always fits.
    static func most(frameSize: Int) -> Int { 2 * frameSize }

    private var most: Int { Self.most(frameSize: frameSize) }
    var step: Int { 16 << 10 }
    var lookSize: Int { 16 << 10 }
    /// Holes are examined: a hole has no line end, or only line ends if a zero byte ends lines.
    var passesHoles: Bool { false }

    mutating func begin(at offset: UInt64) {
        start = origin + offset
        // Begin with the byte before the multiple: a line may end exactly at the multiple.
        position = frameSize - Int(start % UInt64(frameSize)) - 1
    }

    mutating func take(_ bytes: RawSpan) throws(Failure) -> Int? {
        let bytes = bytes.extracting(first: most - position)
        if let found = bytes.withUnsafeBytes({ $0.firstIndex(of: lineEnd) }) { return position + found + 1 }
        position += bytes.byteCount
        if position == most { throw .lineTooLong(in: start..<start + UInt64(most)) }
        return nil
    }

    /// The first place at or after a multiple of the frame size where a line of a file ends; the end of the file if
    /// there is none.
    ///
    /// - Throws: `reading`; `lineTooLong`, as for the chunk that contains the multiple.
    static func end(
        atOrAfter multiple: UInt64, of source: Source, frameSize: Int, lineEnd: UInt8
    ) throws(Failure) -> UInt64 {
        let size = try source.knownSize()
        if multiple == 0 || multiple >= size { return min(multiple, size) }
        // The chunk that contains the multiple begins at most a frame before it.
        let before = UInt64(frameSize)
        var cut = LineCut(frameSize: frameSize, lineEnd: lineEnd, origin: multiple - before)
        while multiple - before + UInt64(cut.position) < size {
            let place = multiple - before + UInt64(cut.position)
            let count = Int(min(UInt64(cut.lookSize), size - place))
            guard let bytes = try source.bytes(at: place, count: count) else {
                throw .sourceShrank(expected: size, read: place)
            }
            if let end = try cut.take(bytes.span.bytes) { return multiple - before + UInt64(end) }
        }
        return size
    }
}
