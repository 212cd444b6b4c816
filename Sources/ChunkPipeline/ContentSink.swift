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

/// Sees the output of a run in order, on threads of its own, beside the writer.
package protocol OutputObserver: Sendable {
    /// Takes the next bytes, without waiting.
    ///
    /// - Parameter lease: kept for as long as the bytes are.
    func take(_ bytes: Bytes, _ lease: Lease?)
}
