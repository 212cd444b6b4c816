package import Dispatch
internal import Synchronization

/// Asks at the end of another source whether that was all of the input, before anything is completed with it.
package final class ConfirmedSource: ByteSource {
    private let base: any ByteSource
    private let confirm: @Sendable () throws(Failure) -> Void
    private let isConfirmed = Atomic(false)

    /// - Parameter confirm: is called once, on the thread that reads, and may wait; throws if the input is incomplete.
    package init(_ base: any ByteSource, confirm: @escaping @Sendable () throws(Failure) -> Void) {
        (self.base, self.confirm) = (base, confirm)
    }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        if let bytes = try base.read(count, until: deadline) { return bytes }
        if !isConfirmed.exchange(true, ordering: .relaxed) { try confirm() }
        return nil
    }

    package func seek(to offset: UInt64) -> Bool { base.seek(to: offset) }
    package func expect(_ ranges: @escaping @Sendable () -> Range<UInt64>?) { base.expect(ranges) }
    package func endWaiting() { base.endWaiting() }
    package func cancel() { base.cancel() }
    package func finish() { base.finish() }
}
