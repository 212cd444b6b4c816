package import ByteStreams

/// Takes the output of a run in its order. One that surrounds another one looks at what passes, or changes how it is
/// written.
///
/// One thread at a time calls it, and no call waits for another thread, but for `end`, which comes last.
package protocol ContentSink: AnyObject, Sendable {
    /// Takes the next bytes, and keeps the frame's lease for as long as it keeps them.
    ///
    /// - Throws: why the output must end before them.
    func write(_ frame: consuming Frame) throws(Failure)

    /// Goes on with what `write` had to leave for later.
    func advance() throws(Failure)

    /// Takes it that nothing follows: writes what it has gathered.
    func flush() throws(Failure)

    /// Ends the output, after everything is written.
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

/// Sees the content of a run in its order, one call at a time, and decides which bytes of it are written.
package protocol ContentFilter: Sendable {
    /// - Parameter isContinued: whether more of the same frame follows.
    /// - Returns: what is written of the next bytes.
    /// - Throws: why the run must end before them.
    func take(_ bytes: Bytes, isContinued: Bool) throws(Failure) -> Bytes
    /// What is written after all of them.
    var end: [UInt8] { get }
    /// Whether it needs no more: failures no longer count.
    var isComplete: Bool { get }
}

extension ContentFilter {
    package var end: [UInt8] { [] }
    package var isComplete: Bool { false }
}
