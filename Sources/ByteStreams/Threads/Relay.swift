internal import Synchronization

/// Runs a body on one thread at a time, without waiting: a thread that comes meanwhile leaves the run to the one
/// inside.
package struct Relay: ~Copyable, Sendable {
    private let claims = Atomic(0)

    package init() {}

    /// Runs the body, or lets the thread that is inside run it once more.
    ///
    /// - Parameter body: the same for all threads.
    package func run(_ body: () -> Void) {
        guard claims.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        var seen = 1
        repeat {
            body()
            // The work of threads that came meanwhile may have come too late for that run.
            seen = claims.subtract(seen, ordering: .acquiringAndReleasing).newValue
        } while seen > 0
    }
}
