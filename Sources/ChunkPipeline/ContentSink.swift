package import ByteStreams

/// Takes the output of a run in its order. One that surrounds another one looks at what passes, or changes how it is
/// written.
///
/// One thread at a time calls it. No call waits but `end`.
package protocol ContentSink: AnyObject, Sendable {
    /// Takes the next bytes, and runs the frame's `whenFree` when it is done with them, also after a failure.
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
