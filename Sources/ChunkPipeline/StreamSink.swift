package import ByteStreams

/// The end of the sinks: hands pieces to a stream, small ones together, and counts them.
package final class StreamSink: ContentSink {
    /// Smaller pieces than this, in bytes, are copied together, as far as they have come: a write costs more than the
    /// copy. The memory of a piece is free once it is copied.
    private static let smallSize = 64 << 10
    /// The most bytes that are written together.
    private static let joinedSize = 256 << 10

    private let stream: (any ByteSink)?
    private let count: WriteCount
    private let monitor: Monitor?
    private let pool = BufferPool(capacity: joinedSize)
    private var joined: OutputBuffer?
    /// How many bytes it holds.
    private var filled = 0
    /// The sizes of the pieces in it.
    private var sizes = Delivery()
    /// The size of the hole at the end of what has come, in bytes.
    private var hole: UInt64 = 0
    private var hasFailed = false

    /// - Parameter stream: nil if nothing is written.
    package init(_ stream: (any ByteSink)?, count: WriteCount, monitor: Monitor? = nil) {
        (self.stream, self.count, self.monitor) = (stream, count, monitor)
    }

    package func write(_ piece: consuming Piece) throws(Failure) {
        hole += piece.gapBefore
        guard let stream, !piece.bytes.isEmpty else {
            if filled > 0 { sizes += piece.sizes } else { count.add(piece.sizes) }
            return
        }
        if hole == 0, piece.bytes.count < Self.smallSize, stream.isBounded { return try join(piece) }
        try writeJoined()
        piece.gapBefore = hole
        hole = 0
        try hand(piece, to: stream)
    }

    /// Waits until everything that has come is written.
    package func flush() throws(Failure) {
        if hasFailed { return }
        try writeJoined()
        try attempt { () throws(Failure) in try stream?.flush() }
    }

    package func end() throws(Failure) {
        let start = StageSpan.now()
        try stream?.end(after: hole, of: count.written)
        guard hole > 0, stream != nil else { return }
        count.addHole(hole)
        monitor?.record(StageSpan(stage: .write, bytes: Int(hole), start: start))
    }

    private func join(_ piece: consuming Piece) throws(Failure) {
        if filled + piece.bytes.count > Self.joinedSize { try writeJoined() }
        if joined == nil { joined = try OutputBuffer(from: pool) }
        if let memory = joined?.memory { piece.bytes.copy(to: memory.extracting(filled...)) }
        filled += piece.bytes.count
        sizes += piece.sizes
    }

    private func writeJoined() throws(Failure) {
        guard let stream, let buffer = joined.take() else { return }
        let piece = Piece(buffer.finish(count: filled), sizes: sizes)
        (filled, sizes) = (0, Delivery())
        try hand(piece, to: stream)
    }

    private func hand(_ piece: consuming Piece, to stream: any ByteSink) throws(Failure) {
        var piece = piece
        piece.write = count.begin(piece)
        // Moved, so that nothing here keeps the memory while the stream waits.
        var given = Optional(piece)
        try attempt { () throws(Failure) in if let piece = given.take() { try stream.write(piece) } }
    }

    private func attempt(_ body: () throws(Failure) -> Void) throws(Failure) {
        do throws(Failure) { try body() } catch {
            hasFailed = true
            throw error
        }
    }
}
