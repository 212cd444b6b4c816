package import ByteStreams

/// Skips bytes that an earlier run has already written.
package final class ResumingSink: SurroundingSink {
    package let inner: any ContentSink
    private let kept: Locked<ResumeComparison>

    package init(_ inner: any ContentSink, _ kept: ResumeComparison) { (self.inner, self.kept) = (inner, Locked(kept)) }

    package func write(_ frame: consuming ChunkResult) throws(Failure) {
        let bytes = frame.bytes
        let count = try kept.withLock { kept throws(Failure) in kept.isOver ? 0 : try kept.match(bytes) }
        if count > 0 {
            _ = frame.bytes.removeFirst(count)
            frame.gapBefore += UInt64(count)
            frame.holes = []
        }
        try inner.write(frame)
    }

    /// Removes what the earlier run has left after the end of the output.
    package func flush() throws(Failure) {
        try kept.withLock { kept throws(Failure) in if !kept.isOver { try kept.end() } }
        try inner.flush()
    }
}
