package import ByteStreams

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
