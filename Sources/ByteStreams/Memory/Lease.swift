internal import Synchronization

/// A claim that is released with the last reference to it, together with the memory that it represents: the slots of a
/// chunk or of its frame, wherever these are written, copied or dropped.
package final class Lease: Sendable {
    private let ends: Mutex<[@Sendable () -> Void]>
    private let isOfInput: Bool

    /// - Parameter isOfInput: whether it belongs to memory that Dispatch read into, which is freed at once.
    package init(isOfInput: Bool = false, _ end: @escaping @Sendable () -> Void) {
        ends = Mutex([end])
        self.isOfInput = isOfInput
    }

    /// Adds a body to run at the release, after the others.
    package func then(_ end: @escaping @Sendable () -> Void) { ends.withLock { $0.append(end) } }

    deinit {
        let ends = ends.withLock { $0 }
        let end = { @Sendable in for end in ends { end() } }
        if isOfInput { end() } else { OutputBuffer.afterReleases(end) }
    }
}
