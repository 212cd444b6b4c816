package import SystemPackage

/// Takes bytes in order.
///
/// Each implementation writes one kind of target in one way: through a channel of Dispatch, with plain calls, or to
/// memory. No byte may follow a gap: nothing is written after a failed write, but to an output that a failed run throws
/// away.
package protocol ByteSink: Sendable {
    /// How many writes may be under way.
    var mostWrites: Int { get }

    /// Starts to write bytes after the previous ones. It never waits; one thread after another calls it, and none
    /// after a write that failed.
    ///
    /// - Parameters:
    ///   - hole: bytes to skip before them, in a file that may have holes.
    ///   - whenDone: runs when they are written and the sink has released them, or with the error.
    func write(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void)

    /// Ends the output when everything is written, a file also with a hole.
    ///
    /// - Parameter written: bytes of all writes, with the holes before them.
    /// - Throws: `writing`, also if bytes are missing though no write has failed.
    func end(after hole: UInt64, of written: UInt64) throws(Failure)

    /// Drops all writes under way, and calls their `whenDone` with `canceled`. Any thread may call it.
    func cancel()

    /// Waits until the descriptor has its former flags again.
    func finish()
}

extension ByteSink {
    package var mostWrites: Int { .max }
    package func end(after hole: UInt64, of written: UInt64) throws(Failure) {}
    package func finish() {}
}
