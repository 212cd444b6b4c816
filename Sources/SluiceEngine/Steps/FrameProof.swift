/// Decompresses the frames that a worker made, and compares them with their content.
struct FrameProof: ~Copyable {
    private var decompressor: Decompressor
    private var buffer = GatherBuffer()
    /// Content that went into the streamed frame and has not come out of it yet.
    private var rest = Bytes()
    /// Bytes of that frame's content that were compared.
    private var position: UInt64 = 0

    init(_ verification: Verification) throws(Failure) {
        decompressor = try codec(Decompressor(dictionary: verification.dictionary))
    }

    /// Proves a whole frame.
    ///
    /// - Parameter offset: where its content begins in that of the run.
    /// - Throws: `unproven`.
    mutating func prove(_ frame: RawSpan, of content: RawSpan, at offset: UInt64 = 0) throws(Failure) {
        let decoded = try decompress(frame, expecting: content.byteCount, at: offset)
        try Self.compare(decoded.bytes, with: content, at: offset)
    }

    /// - Returns: `count` bytes of content, valid until the next call.
    private mutating func decompress(
        _ frame: RawSpan, expecting count: Int, at offset: UInt64
    ) throws(Failure) -> UnsafeMutableRawBufferPointer {
        let memory = try buffer.room(for: count)
        let size = try Self.decoding(at: offset, decompressor.decompress(frame, into: memory, offset: 0))
        guard size == count else { throw .unproven(contentOffset: offset + UInt64(size)) }
        return memory
    }

    mutating func begin() throws(Failure) {
        (rest, position) = (Bytes(), 0)
        try codec(decompressor.begin())
    }

    /// Proves bytes of the streamed frame.
    ///
    /// - Parameters:
    ///   - content: the bytes that went into the frame, some of which may come out later.
    ///   - isLast: whether the frame is complete.
    /// - Throws: `unproven`.
    mutating func prove(_ segment: RawSpan, of content: RawSpan, isLast: Bool) throws(Failure) {
        if !content.isEmpty { rest.append(try Bytes.copying(content)) }
        let memory = try buffer.room(for: ChunkResult.segmentSize)
        var segment = segment
        var isDone = segment.isEmpty
        while !isDone {
            let written: Int
            (written, isDone) = try Self.decoding(at: position, decompressor.stream(&segment, into: memory, offset: 0))
            let output = memory.bytes.extracting(..<written)
            let count = try Self.compare(output, with: rest.removeFirst(written), at: position)
            position += UInt64(count)
            if count < written { throw .unproven(contentOffset: position) }
        }
        if isLast, !rest.isEmpty || !decompressor.hasEnded { throw .unproven(contentOffset: position) }
    }

    /// - Returns: the number of bytes compared.
    private static func compare(_ content: RawSpan, with wanted: Bytes, at offset: UInt64) throws(Failure) -> Int {
        var count = 0
        try wanted.forEachRegion { region throws(Failure) in
            let part = content.extracting(droppingFirst: count).extracting(first: region.byteCount)
            try compare(part, with: region, at: offset + UInt64(count))
            count += region.byteCount
        }
        return count
    }

    private static func compare(_ content: RawSpan, with wanted: RawSpan, at offset: UInt64) throws(Failure) {
        let same = wanted.sameBytes(as: content)
        if same < wanted.byteCount { throw .unproven(contentOffset: offset + UInt64(same)) }
    }

    /// Runs a body that decodes. A frame that can't be decoded is unproven.
    private static func decoding<Result>(
        at offset: UInt64, _ body: @autoclosure () throws(CodecFailure) -> Result
    ) throws(Failure) -> Result {
        do throws(CodecFailure) { return try body() } catch {
            throw error == .outOfMemory ? .codec(error) : .unproven(contentOffset: offset)
        }
    }
}

/// Decompresses each frame before it is written, and compares it with the content that it was made of.
///
///     var compression = Compression(level: 19)
///     compression.verification = Verification()
///     try await compression.run(from: .file("a.tar"), to: .file("a.tar.zst"))
public struct Verification: Sendable {
    /// The dictionary that the frames refer to.
    let dictionary: DecompressionDictionary?

    /// Creates a verification, which a ``Compression`` takes.
    ///
    /// - Parameter dictionary: the counterpart of that of the compression; nil if it has none.
    public init(dictionary: DecompressionDictionary? = nil) {
        self.dictionary = dictionary
    }

    /// The memory that it takes for each worker in bytes, with a context of up to 1 MiB besides the window.
    ///
    /// - Parameter frame: the most bytes of content that a worker decompresses at once, and of its window.
    func memory(frame: Int) -> Int { 2 * frame + (1 << 20) }
}
