internal import Synchronization

/// The sizes and checksums of content that the seek table at the end of a file lists, for frames that end in no
/// checksum of their own, as in files of zstd's seekable format.
///
/// The table counts only if its sizes add up to those of the file, and only for a frame that has exactly the bytes of
/// an entry. It is read when the first such frame comes, and then in pieces, whatever its size. Any thread may ask.
final class ListedContents: Sendable {
    /// The content of one frame.
    struct Entry {
        /// The bytes of the frame in the file.
        let input: Range<UInt64>
        fileprivate let listed: SeekTable.Entry

        /// - Parameter statesSize: whether the frame's header gives this size; a table that contradicts it is not
        ///   credible.
        /// - Throws: `corrupt`.
        func check(size: UInt64, statesSize: Bool, _ checksum: @autoclosure () -> UInt32) throws(CodecFailure) {
            var difference: String?
            if size != UInt64(listed.decompressedSize) {
                if statesSize { return }
                difference = "size"
            } else if checksum() != listed.checksum {
                difference = "checksum"
            }
            // Either the content or the table may be damaged.
            guard let difference else { return }
            let reason = "its content does not match the seek table's \(difference), and the frame has none"
            throw .corrupt(reason: reason, offset: input.lowerBound)
        }
    }

    private enum State {
        case unread
        /// There is no such table.
        case none
        case table(Table)
        /// The run has ended.
        case closed
    }

    private let source: Source
    private let isDamaged: Bool
    private let state = Mutex(State.unread)

    /// Nil for a source that can't be read at any place.
    ///
    /// - Parameter isDamaged: whether a table that can't be read is none, instead of a failure.
    init?(_ source: Source, isDamaged: Bool = false) {
        guard source.isRandomAccess, source.size != nil else { return nil }
        (self.source, self.isDamaged) = (source, isDamaged)
    }

    /// What the table lists of a frame that begins at an offset; nil if it lists none there.
    ///
    /// - Throws: `reading`; `cancelled` after `close`.
    func entry(at offset: UInt64) throws(Failure) -> Entry? {
        try state.withLock { state throws(Failure) in
            if case .closed = state { throw .cancelled }
            do throws(Failure) {
                if case .unread = state { state = try Table(of: source).map { .table($0) } ?? .none }
                guard case .table(var table) = state else { return nil }
                defer { state = .table(table) }
                return try table.entry(at: offset, of: source)
            } catch {
                guard isDamaged, error.code == .reading else { throw error }
                state = .none
                return nil
            }
        }
    }

    /// Ends all reading, once a read that is under way has ended: after a run, the number of the descriptor may be that
    /// of another file, and a cancelled run leaves workers behind (`WorkerWait`).
    func close() { state.withLock { $0 = .closed } }

    /// Where the next read should end, so that each frame lies in one region: behind frames of about so many bytes, or
    /// behind a larger one.
    ///
    /// - Returns: nil if the table does not say, or can't be read.
    func readEnd(from offset: UInt64, about size: Int, atMost most: Int) -> UInt64? {
        try? state.withLock { state throws(Failure) in
            if case .unread = state { state = try Table(of: source).map { .table($0) } ?? .none }
            guard case .table(var table) = state else { return nil }
            defer { state = .table(table) }
            return try table.readEnd(from: offset, about: UInt64(size), atMost: UInt64(most), of: source)
        }
    }

    /// Checks the content of a frame without a checksum, if the table lists exactly this frame.
    ///
    /// - Throws: `corrupt`, `reading`.
    func check(_ content: RawSpan, of input: Range<UInt64>, statesSize: Bool) throws(Failure) {
        guard let entry = try entry(at: input.lowerBound), entry.input == input else { return }
        try codec(
            entry.check(size: UInt64(content.byteCount), statesSize: statesSize, ContentChecksum.of(content)))
    }
}

/// A seek table with checksums whose sizes add up to those of its file, one piece of which is in memory.
private struct Table {
    private static let pieceSize = 4096

    /// Where its first entry is in the file.
    private let start: UInt64
    /// The number of entries.
    private let count: Int
    /// Where the frames of each piece begin in the file.
    private var starts: [UInt64] = []
    /// The piece that was read last, and where each of its frames ends.
    private var piece = (number: -1, entries: [SeekTable.Entry](), ends: [UInt64]())

    /// Nil if there is no such table.
    init?(of source: Source) throws(Failure) {
        let footerSize = UInt64(SeekTable.footerSize)
        guard let size = source.size, size > footerSize,
            let footer = try source.bytes(at: size - footerSize, count: Int(footerSize)),
            let tableSize = SeekTable.encodedSize(footer: footer.span.bytes), tableSize < size,
            let first = try source.bytes(at: size - tableSize, count: FrameFormat.skippableHeaderSize),
            let count = SeekTable.checksumCount(header: first.span.bytes, footer: footer.span.bytes)
        else { return nil }
        self.count = count
        start = size - tableSize + UInt64(FrameFormat.skippableHeaderSize)
        var end: UInt64 = 0
        for number in 0..<(count + Self.pieceSize - 1) / Self.pieceSize {
            starts.append(end)
            guard try read(number, of: source) else { return nil }
            end = piece.ends.last ?? end
        }
        guard end == size - tableSize else { return nil }
    }

    /// Reads a piece; returns false if bytes are missing.
    private mutating func read(_ number: Int, of source: Source) throws(Failure) -> Bool {
        if piece.number == number { return true }
        let first = number * Self.pieceSize
        let size = SeekTable.entrySize(hasChecksums: true)
        guard
            let bytes = try source.bytes(
                at: start + UInt64(first * size), count: min(Self.pieceSize, count - first) * size)
        else { return false }
        let entries = SeekTable.entries(bytes.span.bytes)
        var end = starts[number]
        let ends = entries.map { entry in
            end += UInt64(entry.compressedSize)
            return end
        }
        piece = (number, entries, ends)
        return true
    }

    /// Reads the piece that has the frame at an offset; returns false if there is none.
    private mutating func readPiece(at offset: UInt64, of source: Source) throws(Failure) -> Bool {
        let number = starts.firstPosition { $0 > offset } - 1
        guard number >= 0 else { return false }
        return try read(number, of: source)
    }

    /// The last end of a frame that is at most this far away, if it is half as far; else the next one beyond.
    mutating func readEnd(
        from offset: UInt64, about size: UInt64, atMost most: UInt64, of source: Source
    ) throws(Failure) -> UInt64? {
        guard try readPiece(at: offset, of: source) else { return nil }
        let beyond = piece.ends.firstPosition { $0 > offset + size }
        if beyond > 0, piece.ends[beyond - 1] >= offset + size / 2 { return piece.ends[beyond - 1] }
        guard beyond < piece.ends.count, piece.ends[beyond] <= offset + most else { return nil }
        return piece.ends[beyond]
    }

    /// What is listed of a frame that begins at an offset.
    mutating func entry(at offset: UInt64, of source: Source) throws(Failure) -> ListedContents.Entry? {
        guard try readPiece(at: offset, of: source) else { return nil }
        let position = piece.ends.firstPosition { $0 > offset }
        guard position < piece.ends.count else { return nil }
        let (listed, end) = (piece.entries[position], piece.ends[position])
        guard end - UInt64(listed.compressedSize) == offset else { return nil }
        return ListedContents.Entry(input: offset..<end, listed: listed)
    }
}
