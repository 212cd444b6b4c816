package import ByteStreams

/// Receives the output of a run in order. A sink around another sink changes how it is written.
///
/// Only the writer's thread calls it, and waits in each call.
package protocol ContentSink: AnyObject {
    /// Writes the next bytes, and keeps the piece's lease for as long as it keeps them.
    ///
    /// - Throws: the reason why the output must end before them.
    func write(_ piece: consuming Piece) throws(Failure)

    /// Writes everything that it has gathered, because nothing follows.
    func flush() throws(Failure)

    /// Ends the output, after everything has been written.
    func end() throws(Failure)
}

/// A sink around another one.
package protocol SurroundingSink: ContentSink {
    var inner: any ContentSink { get }
}

extension SurroundingSink {
    package func flush() throws(Failure) { try inner.flush() }
    package func end() throws(Failure) { try inner.end() }
}

/// Turns long runs of zeros into holes of the output.
package final class HoleSink: SurroundingSink {
    package let inner: any ContentSink

    package init(_ inner: any ContentSink) { self.inner = inner }

    package func write(_ piece: consuming Piece) throws(Failure) {
        var piece = piece
        guard let last = piece.holes.last else { return try inner.write(piece) }
        // The data between holes is written in parts that share memory and lease. The last part carries the sizes of
        // the piece; a hole at its end comes after it, as a piece without bytes.
        let (bytes, end) = (piece.bytes, piece.bytes.count)
        var position = 0
        for hole in piece.holes where hole != last || hole.upperBound < end {
            var data = Piece(bytes.slice(position..<hole.lowerBound), lease: piece.lease)
            (data.gapBefore, data.isContinued) = (piece.gapBefore, true)
            try inner.write(data)
            piece.gapBefore = UInt64(hole.count)
            position = hole.upperBound
        }
        let hole = last.upperBound == end ? last : end..<end
        piece.bytes = bytes.slice(position..<hole.lowerBound)
        piece.holes = []
        try inner.write(piece)
        if hole.isEmpty { return }
        var trailing = Piece(Bytes())
        trailing.gapBefore = UInt64(hole.count)
        try inner.write(trailing)
    }
}

/// Skips bytes that an earlier run has already written.
package final class ResumingSink: SurroundingSink {
    package let inner: any ContentSink
    private var kept: ResumeComparison

    package init(_ inner: any ContentSink, _ kept: ResumeComparison) { (self.inner, self.kept) = (inner, kept) }

    package func write(_ piece: consuming Piece) throws(Failure) {
        var piece = piece
        let count = kept.isOver ? 0 : try kept.match(piece.bytes)
        if count > 0 {
            _ = piece.bytes.removeFirst(count)
            piece.gapBefore += UInt64(count)
            piece.holes = []
        }
        try inner.write(piece)
    }

    /// Removes what the earlier run has left after the end of the output.
    package func flush() throws(Failure) {
        if !kept.isOver { try kept.end() }
        try inner.flush()
    }
}

/// The bytes that the output has around its frames.
package protocol Envelope: Sendable {
    /// Whether an output that ends after its first frame looks complete, though another frame was to follow.
    var looksCompleteAfterFirst: Bool { get }
    /// Adds the next frame.
    ///
    /// - Returns: the bytes that precede it.
    /// - Throws: the reason why it can't be added.
    mutating func append(_ frame: ChunkResult) throws(Failure) -> [UInt8]
    /// The bytes that end the output.
    ///
    /// - Throws: the reason why the output must not be completed.
    func trailer() throws(Failure) -> [UInt8]
}

extension Envelope {
    package var looksCompleteAfterFirst: Bool { false }
}

/// Sees the content of a run in order, one call at a time, and decides which of its bytes are written.
package protocol ContentFilter: Sendable {
    /// - Parameter isContinued: whether more of the same frame follows.
    /// - Returns: the bytes to write in place of these.
    /// - Throws: the reason why the run must end before them.
    func take(_ bytes: Bytes, isContinued: Bool) throws(Failure) -> Bytes
    /// Bytes to write after all others.
    var end: Bytes { get }
    /// Whether it needs no more content; later failures are then ignored.
    var isComplete: Bool { get }
}

extension ContentFilter {
    package var end: Bytes { Bytes() }
    package var isComplete: Bool { false }
}

/// Sees the output of a run in order, on threads of its own, beside the writer.
package protocol OutputObserver: Sendable {
    /// Takes the next bytes, without waiting.
    ///
    /// - Parameter lease: kept for as long as the bytes are.
    func take(_ bytes: Bytes, _ lease: Lease?)
}
