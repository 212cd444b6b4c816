package import SystemPackage

/// Takes bytes in order, each behind those before.
///
/// Each implementation writes one kind of target in one way: through a channel of Dispatch, with plain calls, or to
/// memory. After a write that failed it writes nothing more: no byte goes behind a gap.
package protocol ByteSink: Sendable {
    /// Has bytes written behind those before them. It waits for nothing; one thread after another calls it.
    ///
    /// - Parameters:
    ///   - hole: bytes to leave out before them, in a file that may have holes.
    ///   - whenDone: runs when they are written and the sink no longer holds them, or with the error.
    func write(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void)

    /// Ends a file behind a hole that nothing follows, when everything is written.
    ///
    /// - Throws: `writing`.
    func extend(by hole: UInt64) throws(Failure)

    /// Writes nothing more, also of what waits: its `whenDone` gets `canceled`. Any thread may call it.
    func cancel()

    /// Gives the descriptor back with the flags that it had, and waits for that.
    func finish()
}

extension ByteSink {
    package func extend(by hole: UInt64) throws(Failure) {}
    package func finish() {}
}
