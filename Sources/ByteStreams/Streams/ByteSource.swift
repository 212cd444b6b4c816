package import Dispatch

/// Reads bytes in order, for one thread, which waits for them.
///
/// Each implementation reads one kind of origin in one way: through a channel of Dispatch, with plain system calls, or
/// from memory. To support another origin, add another implementation.
package protocol ByteSource: Sendable {
    /// Takes the bytes that are available, and waits only for the first of them.
    ///
    /// - Parameter deadline: when the waiting ends; nil for never.
    /// - Returns: at most `count` bytes; none after the deadline or `endWaiting`; nil at the end of the data.
    /// - Throws: `reading`, `outOfMemory`; after `cancel` perhaps `cancelled`.
    func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes?

    /// Continues at another offset.
    ///
    /// - Parameter offset: in bytes from where the source began.
    /// - Returns: false where the data can only be read in order.
    func seek(to offset: UInt64) -> Bool

    /// Says which bytes will be read, so that a source that reads ahead reads no others.
    ///
    /// - Parameter ranges: returns them one after another, as offsets from where the source began, in the order of
    ///   reading; nil at the end.
    func expect(_ ranges: @escaping @Sendable () -> Range<UInt64>?)

    /// Ends all waiting for good; a read in progress keeps its bytes. Any thread may call it.
    func endWaiting()

    /// Ends all waiting, and drops a read in progress. Any thread may call it.
    func cancel()

    /// Waits until the descriptor has its original flags again, and moves it past what was read of a file.
    func finish()
}

extension ByteSource {
    package func seek(to offset: UInt64) -> Bool { false }
    package func expect(_ ranges: @escaping @Sendable () -> Range<UInt64>?) {}
    package func endWaiting() {}
    package func cancel() { endWaiting() }
    package func finish() {}
}
