internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Hands elements from one thread to others, first in, first out. Only `pop` waits.
package final class WorkQueue<Element: Sendable & ~Copyable>: Sendable {
    private struct State: ~Copyable {
        var elements = UniqueDeque<Element>()
        var isClosed = false
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    package init() {}

    /// Adds an element; after `close` it is dropped.
    ///
    /// - Returns: whether it was added.
    @discardableResult package func push(_ element: consuming Element) -> Bool {
        var element = Optional(element)
        let isAdded = state.withLock { state in
            if !state.isClosed, let element = element.take() { state.elements.append(element) }
            return !state.isClosed
        }
        available.signal()
        return isAdded
    }

    /// Ends the queue. Elements that are waiting are still handed out, or dropped.
    package func close(dropping: Bool = false) {
        state.withLock { state in
            if dropping { state.elements.removeAll() }
            state.isClosed = true
        }
        available.signal()
    }

    /// Whether `pop` would wait.
    package var isEmpty: Bool { state.withLock { $0.elements.isEmpty && !$0.isClosed } }

    /// Waits for the next element; nil when the queue is closed and empty.
    package func pop() -> Element? {
        while true {
            available.wait()
            var isClosed = false
            let element = state.withLock { state -> Element? in
                isClosed = state.isClosed
                return state.elements.popFirst()
            }
            if let element { return element }
            if isClosed {
                // Wakes the next waiting thread.
                available.signal()
                return nil
            }
        }
    }

    /// The next element, if there is one now. A thread in `pop` may be woken for nothing, which it expects.
    package func popIfAny() -> Element? { state.withLock { $0.elements.popFirst() } }
}

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
