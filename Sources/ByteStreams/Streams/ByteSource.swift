package import Dispatch

/// Bytes in order, for one thread, which waits for them.
///
/// Each implementation reads one kind of origin in one way: through a channel of Dispatch, with plain calls, or from
/// memory. Another origin is another implementation.
package protocol ByteSource: Sendable {
    /// Takes the bytes that are there, and waits for the first of them only.
    ///
    /// - Parameter deadline: when the waiting ends; nil for never.
    /// - Returns: at most `count` bytes; none after the deadline or `endWaiting`; nil at the end of the data.
    /// - Throws: `reading`, `outOfMemory`; after `cancel` perhaps `cancelled`.
    func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes?

    /// Continues elsewhere.
    ///
    /// - Parameter offset: bytes from where the source began.
    /// - Returns: false where the data can only be read in order.
    func seek(to offset: UInt64) -> Bool

    /// Ends the waiting, now and for ever; a read that has begun keeps its bytes. Any thread may call it.
    func endWaiting()

    /// Ends the waiting, and drops a read that has begun. Any thread may call it.
    func cancel()

    /// Waits until the descriptor has its former flags again.
    func finish()
}

extension ByteSource {
    package func seek(to offset: UInt64) -> Bool { false }
    package func endWaiting() {}
    package func cancel() { endWaiting() }
    package func finish() {}
}
