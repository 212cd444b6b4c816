/// The first bytes of a frame, which a checkpoint of the archive's index proves without decoding the rest, or all of
/// it, which its own checksum proves. They are read and decoded on the calling thread.
struct FrameBeginning: ~Copyable {
    /// Bytes of the file that are decoded at once, and of the pages that are got in front of that: those of the whole
    /// frame would push one another out of the processor's cache.
    private static let (pieceSize, step) = (16 << 10, 128 << 10)

    private let source: Source
    private let frame: FrameIndex.Entry
    /// Where the checkpoint lies in the content of the frame, and its checksum; nil for the whole frame.
    private let checkpoint: (place: Int, checksum: UInt32)?
    private let limits: DecodingLimits
    private var decompressor: Decompressor
    private var hash: ContentChecksum
    private let input: OutputBuffer
    private let output: OutputBuffer
    /// The bytes of the file that are not read.
    private var unread: Range<UInt64>
    /// Bytes of content that are decoded, and those that have their pages.
    private var (place, populated) = (0, 0)

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
        try codec(decompressor.beginInPlace())
        let hash = try codec(ContentChecksum())
        let input = try OutputBuffer(capacity: Self.pieceSize)
        let output = try OutputBuffer(capacity: frame.content.count)
        // Only now, since a struct with a deinitializer must not be left half made.
        (self.source, self.frame, self.limits, self.checkpoint) = (source, frame, limits, checkpoint)
        self.decompressor = decompressor
        self.hash = hash
        self.input = input
        self.output = output
        unread = frame.input
    }

    /// The content, decoded as far as it has to be.
    ///
    /// - Throws: `archive` if it is not proved; `codec`, `reading`, `sourceShrank`.
    consuming func content() throws(Failure) -> OutputBuffer {
        while checkpoint.map({ place < $0.place }) ?? !decompressor.hasEnded { try advance() }
        guard checkpoint.map({ $0.checksum == hash.value }) ?? (unread.isEmpty && place == frame.content.count) else {
            throw ArchiveIndex.damage
        }
        return output
    }

    /// Reads and decodes the next piece.
    private mutating func advance() throws(Failure) {
        let piece = try read()
        while populated < min(place + Self.step, output.memory.count) {
            let end = min(populated + Self.step, output.memory.count)
            output.populate(populated..<end)
            populated = end
        }
        let start = place
        try codec(decompressor.stream(piece, into: output.memory, at: &place, offset: frame.input.lowerBound))
        if let checkpoint {
            hash.append(UnsafeRawBufferPointer(rebasing: output.memory[start..<min(place, checkpoint.place)]))
        }
    }

    private mutating func read() throws(Failure) -> UnsafeRawBufferPointer {
        let range = unread.prefix(Self.pieceSize)
        if range.isEmpty { throw ArchiveIndex.damage }
        try source.read(range, into: input.memory)
        let piece = UnsafeRawBufferPointer(rebasing: input.memory[..<range.count])
        if unread == frame.input { try check(piece) }
        unread = range.upperBound..<unread.upperBound
        return piece
    }

    /// Checks that the frame that begins here may be decoded, before memory is allocated for it.
    private func check(_ start: UnsafeRawBufferPointer) throws(Failure) {
        var scanner = FrameScanner(offset: frame.input.lowerBound)
        let (_, ended) = try codec(scanner.scan(start))
        guard let begun = ended ?? scanner.current else { throw ArchiveIndex.damage }
        try codec(limits.check(begun))
        // What only the seek table proves takes a run.
        if limits.verifiesChecksums, begun.header?.hasChecksum != true { throw ArchiveIndex.damage }
    }
}
