package import SystemPackage

/// Writes bytes in order.
///
/// Each implementation writes one kind of target in one way: through a channel of Dispatch, with plain system calls, or
/// to memory. No byte may follow a gap: after a failed write nothing more is written, unless a failed run discards its
/// output.
package protocol ByteSink: Sendable {
    /// How many writes may be in progress at once.
    var mostWrites: Int { get }

    /// Starts to write bytes after the previous ones. It never waits. Only one thread calls it at a time, and none
    /// after a failed write.
    ///
    /// - Parameters:
    ///   - hole: the number of bytes to skip before them, in a file that may have holes.
    ///   - whenDone: called when the bytes are written and the sink has released them, or with the error.
    func write(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void)

    /// Ends the output after everything is written, with a hole if it is a file.
    ///
    /// - Parameter written: the bytes of all writes, including the holes before them.
    /// - Throws: `writing`, also if bytes are missing though no write has failed.
    func end(after hole: UInt64, of written: UInt64) throws(Failure)

    /// Drops all writes in progress, and calls their `whenDone` with `canceled`. Any thread may call it.
    func cancel()

    /// Waits until the sink no longer uses the descriptor, which then has its original flags again.
    func finish()
}

extension ByteSink {
    package var mostWrites: Int { .max }
    package func end(after hole: UInt64, of written: UInt64) throws(Failure) {}
    package func finish() {}
}
