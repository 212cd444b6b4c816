package import ByteStreams

/// Receives the output of a run in order. A sink around another sink inspects what passes, or changes how it is
/// written.
///
/// Only one thread calls it at a time. No call waits for another thread, except `end`, which comes last.
package protocol ContentSink: AnyObject, Sendable {
    /// Takes the next bytes, and keeps the frame's lease for as long as it keeps them.
    ///
    /// - Throws: the reason why the output must end before them.
    func write(_ frame: consuming ChunkResult) throws(Failure)

    /// Continues with what `write` had to postpone.
    func advance() throws(Failure)

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
    package func advance() throws(Failure) { try inner.advance() }
    package func flush() throws(Failure) { try inner.flush() }
    package func end() throws(Failure) { try inner.end() }
}

/// Sees the content of a run in order, one call at a time, and decides which of its bytes are written.
package protocol ContentFilter: Sendable {
    /// - Parameter isContinued: whether more of the same frame follows.
    /// - Returns: the bytes to write in place of these.
    /// - Throws: the reason why the run must end before them.
    func take(_ bytes: Bytes, isContinued: Bool) throws(Failure) -> Bytes
    /// Bytes to write after all others.
    var end: [UInt8] { get }
    /// Whether it needs no more content; later failures are then ignored.
    var isComplete: Bool { get }
}

extension ContentFilter {
    package var end: [UInt8] { [] }
    package var isComplete: Bool { false }
}
