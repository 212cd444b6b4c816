/// Finds lines of the content at its start or its end, and decodes only the frames that have them.
struct LineSearch: ~Copyable {
    /// The most bytes in which the first lines are looked for.
    private static let mostHeader: UInt64 = 16 << 20
    private static let pieceSize: UInt64 = 64 << 10

    private let index: FrameIndex
    private let source: Source
    private let decompression: Decompression
    private let latch: FailureLatch
    private let room: OutputBuffer

    /// - Parameter latch: ends the search.
    /// - Throws: `outOfMemory`.
    init(
        of index: FrameIndex, in source: Source, _ decompression: Decompression, _ latch: FailureLatch
    ) throws(Failure) {
        (self.index, self.source, self.decompression, self.latch) = (index, source, decompression, latch)
        room = try OutputBuffer(capacity: Int(Self.pieceSize))
    }

    /// The bytes of the first lines; of all content if there are fewer lines.
    ///
    /// - Throws: `lineTooLong` if that is more than 16 MiB; `reading`, `codec`.
    func sizeOfFirst(_ count: Int) throws(Failure) -> UInt64 {
        var (found, size) = (0, index.contentSize)
        for position in 0..<index.count where found < count {
            try forEachEnd(UInt8(ascii: "\n"), in: position) { offset in
                found += 1
                if found == count { size = offset + 1 }
                return found < count && offset < Self.mostHeader
            }
            if index[position].content.upperBound > Self.mostHeader { break }
        }
        if size > Self.mostHeader { throw .lineTooLong(in: 0..<Self.mostHeader) }
        return size
    }

    /// Where the last lines begin; the last one may have no end.
    ///
    /// - Parameter end: the byte that ends a line.
    /// - Throws: `reading`, `codec`.
    func startOfLast(_ count: Int, endingIn end: UInt8) throws(Failure) -> UInt64 {
        let last = index.contentSize - min(1, index.contentSize)
        if count == 0 { return index.contentSize }
        // The lines that follow what was searched.
        var missing = count
        for position in (0..<index.count).reversed() {
            var found = 0
            // The end of the last line begins no other.
            try forEachEnd(end, in: position) { offset in
                if offset < last { found += 1 }
                return true
            }
            if found < missing {
                missing -= found
                continue
            }
            var (skipped, start) = (found - missing, UInt64(0))
            try forEachEnd(end, in: position) { offset in
                defer { skipped -= 1 }
                if skipped == 0 { start = offset + 1 }
                return skipped > 0
            }
            return start
        }
        return 0
    }

    /// Decodes a frame, and calls `body` with the offset of each such byte in the content, until it returns false.
    private func forEachEnd(_ end: UInt8, in position: Int, _ body: (UInt64) -> Bool) throws(Failure) {
        let content = index[position].content
        if content.isEmpty { return }
        var cursor = try FrameCursor(position, in: index, source, decompression)
        var offset = content.lowerBound
        while offset < content.upperBound {
            let piece = offset..<min(content.upperBound, offset + Self.pieceSize)
            let bytes = room.memory.extracting(..<piece.count)
            try latch.check()
            try cursor.read(piece, into: bytes)
            for (place, byte) in bytes.enumerated() where byte == end {
                if !body(offset + UInt64(place)) { return }
            }
            offset = piece.upperBound
        }
    }
}
