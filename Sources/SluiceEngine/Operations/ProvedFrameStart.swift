/// The first bytes of a frame, proved by a checkpoint of the archive's index without decoding the rest; or all of it,
/// proved by its own checksum. They are read and decoded on the calling thread.
struct ProvedFrameStart {
    /// Bytes of the file, and of content, that are held at once.
    private static let pieceSize = 64 << 10

    /// An entry for one frame.
    let frame: FrameIndex.Entry
    let source: Source
    let members: ArchiveIndex
    let decompression: Decompression

    /// Decodes the content as far as it has to be.
    ///
    /// - Parameter parts: the ranges of it that are kept, in order.
    /// - Throws: `archive` if it is not proved; `codec`, `reading`, `sourceShrank`.
    func content(of parts: [Range<Int>]) throws(Failure) -> Bytes {
        let checkpoint = checkpoint(after: parts.last?.upperBound ?? 0)
        let verifies = checkpoint == nil && decompression.limits.verifiesChecksums
        var decompressor = try codec(Decompressor(dictionary: decompression.dictionary, verifiesChecksums: verifies))
        try codec(decompressor.begin())
        var hash = try codec(ContentChecksum())
        let input = try OutputBuffer(capacity: Self.pieceSize)
        let output = try OutputBuffer(capacity: Self.pieceSize)
        // The range of the file that is not read yet, and how many bytes of content are decoded.
        var (unread, place) = (frame.input, 0)
        // What is read and not decoded yet.
        var piece = RawSpan()
        var kept = Bytes()
        while !decompressor.hasEnded, place != checkpoint?.place {
            if piece.isEmpty { piece = try input.memory.bytes.extracting(..<read(&unread, into: input.memory)) }
            let most = checkpoint.map { $0.place - place } ?? Self.pieceSize
            let room = output.memory.extracting(..<min(most, output.memory.count))
            let (count, _) = try codec(decompressor.stream(&piece, into: room, offset: frame.input.lowerBound))
            let content = room.bytes.extracting(..<count)
            if checkpoint != nil { hash.append(content) }
            for part in parts.map({ $0.clamped(to: place..<place + count) }) where !part.isEmpty {
                let bytes = room.extracting(part.lowerBound - place..<part.upperBound - place)
                kept.append(Bytes(UnsafeRawBufferPointer(bytes)))
            }
            place += count
        }
        let isProved =
            if let checkpoint { checkpoint == (place, hash.value) } else {
                place == frame.content.count && unread.isEmpty && piece.isEmpty
            }
        if !isProved { throw ArchiveIndex.damage }
        return kept
    }

    /// Where the next checkpoint lies in the content of the frame, and its checksum; nil if the frame ends first.
    private func checkpoint(after end: Int) -> (place: Int, checksum: UInt32)? {
        let start = frame.content.lowerBound
        return members.checkpoint(after: start + UInt64(end)).flatMap { place, checksum in
            place < frame.content.upperBound ? (place: Int(place - start), checksum: checksum) : nil
        }
    }

    /// Reads the next bytes of the file; returns how many.
    private func read(
        _ unread: inout Range<UInt64>, into memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        let range = unread.prefix(Self.pieceSize)
        if range.isEmpty { throw ArchiveIndex.damage }
        try source.read(range, into: memory)
        if unread == frame.input { try check(memory.bytes.extracting(..<range.count)) }
        unread = range.upperBound..<unread.upperBound
        return range.count
    }

    /// Checks that the frame that begins here may be decoded, before memory is allocated for it.
    private func check(_ start: RawSpan) throws(Failure) {
        var scanner = FrameScanner(offset: frame.input.lowerBound)
        let (_, ended) = try codec(scanner.scan(start))
        guard let begun = ended ?? scanner.current else { throw ArchiveIndex.damage }
        try codec(decompression.limits.check(begun))
        // A frame without a checksum, which only the seek table proves, needs a run.
        if decompression.limits.verifiesChecksums, begun.header?.hasChecksum != true { throw ArchiveIndex.damage }
    }
}
