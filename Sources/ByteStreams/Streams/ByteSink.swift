/// Writes bytes in order, for one thread, which waits until they may be given.
///
/// Each implementation writes one kind of target in one way: through a channel of Dispatch, with plain system calls, or
/// to memory. No byte may follow a gap: after a failed write nothing more is written, unless a failed run discards its
/// output.
package protocol ByteSink: Sendable {
    /// Whether `write` waits while enough is being written. Otherwise what is written stays until somebody takes it,
    /// who may keep it for any time, and only the leases of the pieces bound how much that is.
    var isBounded: Bool { get }

    /// Writes a piece after the previous ones. It waits until the sink can take it, and may return before it is
    /// written.
    ///
    /// - Throws: `writing`, perhaps for an earlier piece, or since `cancel` was called.
    func write(_ piece: consuming Piece) throws(Failure)

    /// Waits until everything is written that the sink writes by itself.
    ///
    /// - Throws: `writing`, as `write`.
    func flush() throws(Failure)

    /// Ends the output after everything is written, with a hole if it is a file.
    ///
    /// - Parameter written: the bytes of all writes, including the holes before them.
    /// - Throws: `writing`, also if bytes are missing though no write has failed.
    func end(after hole: UInt64, of written: UInt64) throws(Failure)

    /// Ends all waiting, and drops what is not written. Any thread may call it.
    func cancel()

    /// Waits until the sink no longer uses the descriptor, which then has its original flags again.
    func finish()
}

extension ByteSink {
    package var isBounded: Bool { true }
    package func flush() throws(Failure) {}
    package func end(after hole: UInt64, of written: UInt64) throws(Failure) {}
    package func finish() {}
}

/// Bytes that are written at once.
package struct Piece: Sendable {
    package var bytes: Bytes
    /// How many bytes of the output to leave as they are before it: a hole, or what an earlier run has written.
    package var gapBefore: UInt64 = 0
    /// The runs of zeros in it that become holes of the output.
    package var holes: [Range<Int>] = []
    package var sizes: Delivery
    /// Whether more of the same frame follows.
    package var isContinued = false
    /// What counts it. Whoever has written it calls `end`.
    package var write: WriteCount.Write?
    /// The slots for its memory. Whatever keeps the bytes also keeps the lease, or keeps a copy, but for those who take
    /// them from a sink that is not bounded.
    package var lease: Lease?

    package init(_ bytes: Bytes, sizes: Delivery = Delivery(), lease: Lease? = nil) {
        (self.bytes, self.sizes, self.lease) = (bytes, sizes, lease)
    }
}
