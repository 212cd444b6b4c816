internal import Synchronization

/// Runs a body on one thread at a time, and lets nobody wait: whoever comes meanwhile leaves the run to the one inside.
package struct Relay: ~Copyable, Sendable {
    private let claims = Atomic(0)

    package init() {}

    /// Runs the body, unless another thread runs it now: that one runs it once more then.
    ///
    /// - Parameter body: the same for all; it does whatever there is to do.
    package func run(_ body: () -> Void) {
        guard claims.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        var seen = 1
        repeat {
            body()
            // Those who came while it ran may have come too late for it.
            seen = claims.subtract(seen, ordering: .acquiringAndReleasing).newValue
        } while seen > 0
    }
}
