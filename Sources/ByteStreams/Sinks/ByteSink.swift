package import SystemPackage

/// Takes bytes in order.
///
/// Each implementation writes one kind of target in one way: through a channel of Dispatch, with plain calls, or to
/// memory. After a failed write it writes nothing more, so that no byte follows a gap; an output that a failed run
/// throws away may get some.
package protocol ByteSink: Sendable {
    /// Starts to write bytes after the previous ones. It never waits; one thread after another calls it.
    ///
    /// - Parameters:
    ///   - hole: bytes to skip before them, in a file that may have holes.
    ///   - whenDone: runs when they are written and the sink has released them, or with the error.
    func write(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void)

    /// Ends the output when everything is written, a file also with a hole.
    ///
    /// - Throws: `writing`, also if bytes are missing though no write has failed.
    func end(after hole: UInt64) throws(Failure)

    /// Drops all writes that wait, and calls their `whenDone` with `canceled`. Any thread may call it.
    func cancel()

    /// Waits until the descriptor has its former flags again.
    func finish()
}

extension ByteSink {
    package func end(after hole: UInt64) throws(Failure) {}
    package func finish() {}
}
