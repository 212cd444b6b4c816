/// The first bytes of a frame, which a checkpoint of the archive's index proves without decoding the rest, or all of
/// it, which its own checksum proves. They are read and decoded on the calling thread.
struct FrameBeginning: ~Copyable {
    /// Bytes of the file, and of content, that are held at once.
    private static let pieceSize = 64 << 10

    private let source: Source
    private let frame: FrameIndex.Entry
    /// Where the checkpoint lies in the content of the frame, and its checksum; nil for the whole frame.
    private let checkpoint: (place: Int, checksum: UInt32)?
    private let limits: DecodingLimits
    private var decompressor: Decompressor
    private var hash: ContentChecksum
    private let input: OutputBuffer
    private let output: OutputBuffer
    /// The bytes of the file that are not read, and those that are read and not decoded.
    private var unread: Range<UInt64>
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Bytes of content that are decoded.
    private var place = 0

    /// - Parameters:
    ///   - frame: an entry for one frame.
    ///   - end: how much of its content is needed, in bytes.
    init(
        of frame: FrameIndex.Entry, upTo end: Int, _ members: ArchiveIndex, from source: Source,
        _ decompression: Decompression
    ) throws(Failure) {
        let (start, limits) = (frame.content.lowerBound, decompression.limits)
        let checkpoint = members.checkpoint(after: start + UInt64(end)).flatMap { place, checksum in
            place < frame.content.upperBound ? (place: Int(place - start), checksum: checksum) : nil
        }
        var decompressor = try codec(
            Decompressor(
                dictionary: decompression.dictionary, verifiesChecksums: checkpoint == nil && limits.verifiesChecksums))
        try codec(decompressor.begin())
        let hash = try codec(ContentChecksum())
        let input = try OutputBuffer(capacity: Self.pieceSize)
        let output = try OutputBuffer(capacity: Self.pieceSize)
        // Only now, since nothing may throw after the first stored property of a noncopyable type.
        (self.source, self.frame, self.limits, self.checkpoint) = (source, frame, limits, checkpoint)
        self.decompressor = decompressor
        self.hash = hash
        self.input = input
        self.output = output
        unread = frame.input
    }

    /// Decodes the content as far as it has to be.
    ///
    /// - Parameter parts: those that are kept of it, in order.
    /// - Throws: `archive` if it is not proved; `codec`, `reading`, `sourceShrank`.
    consuming func content(of parts: [Range<Int>]) throws(Failure) -> Bytes {
        var kept = Bytes()
        while !decompressor.hasEnded, place != checkpoint?.place {
            let start = place
            let content = try next()
            for part in parts.map({ $0.clamped(to: start..<place) }) where !part.isEmpty {
                let bytes = content[part.lowerBound - start..<part.upperBound - start]
                kept.append(Bytes(UnsafeRawBufferPointer(rebasing: bytes)))
            }
        }
        let isProved =
            if let checkpoint { checkpoint == (place, hash.value) } else {
                place == frame.content.count && unread.isEmpty && piece.isEmpty
            }
        if !isProved { throw ArchiveIndex.damage }
        return kept
    }

    /// Decodes the next bytes, which are valid until the next call.
    private mutating func next() throws(Failure) -> UnsafeRawBufferPointer {
        if piece.isEmpty { try read() }
        let most = checkpoint.map { $0.place - place } ?? Self.pieceSize
        let room = UnsafeMutableRawBufferPointer(rebasing: output.memory.prefix(most))
        let (count, _) = try codec(decompressor.stream(&piece, into: room, offset: frame.input.lowerBound))
        let content = UnsafeRawBufferPointer(rebasing: room[..<count])
        if checkpoint != nil { hash.append(content) }
        place += count
        return content
    }

    private mutating func read() throws(Failure) {
        let range = unread.prefix(Self.pieceSize)
        if range.isEmpty { throw ArchiveIndex.damage }
        try source.read(range, into: input.memory)
        piece = UnsafeRawBufferPointer(rebasing: input.memory[..<range.count])
        if unread == frame.input { try check(piece) }
        unread = range.upperBound..<unread.upperBound
    }

    /// Checks that the frame that begins here may be decoded, before memory is allocated for it.
    private func check(_ start: UnsafeRawBufferPointer) throws(Failure) {
        var scanner = FrameScanner(offset: frame.input.lowerBound)
        let (_, ended) = try codec(scanner.scan(start))
        guard let begun = ended ?? scanner.current else { throw ArchiveIndex.damage }
        try codec(limits.check(begun))
        // A frame that only the seek table proves takes a run.
        if limits.verifiesChecksums, begun.header?.hasChecksum != true { throw ArchiveIndex.damage }
    }
}
