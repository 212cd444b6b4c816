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
    private let available: DispatchSemaphore
    /// Those that pop.
    private let threads: SpareThreads

    package init() {
        let available = DispatchSemaphore(value: 0)
        self.available = available
        threads = SpareThreads { available.signal() }
    }

    /// Counts a thread that pops, or does the work without: all but one of these may end when threads are scarce. `pop`
    /// then returns nil.
    package func didStartThread() { threads.didStart() }

    /// Adds an element; after `close`, the element is dropped.
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

    /// Ends the queue. Waiting elements are still handed out, or dropped if `dropping`.
    package func close(dropping: Bool = false) {
        state.withLock { state in
            if dropping { state.elements.removeAll() }
            state.isClosed = true
        }
        threads.didEnd()
        available.signal()
    }

    /// Whether `pop` would wait.
    package var isEmpty: Bool { state.withLock { $0.elements.isEmpty && !$0.isClosed } }

    /// Waits for the next element; nil when the queue is closed and empty, or the calling thread must end because
    /// threads are scarce.
    package func pop() -> Element? {
        while true {
            if threads.givesWay() { return nil }
            available.wait()
            var isClosed = false
            let element = state.withLock { state -> Element? in
                isClosed = state.isClosed
                return state.elements.popFirst()
            }
            if let element { return element }
            if isClosed {
                // Wake the next waiting thread.
                available.signal()
                return nil
            }
        }
    }

    /// The next element, if there is one now. A thread in `pop` may then wake up without one, and waits again.
    package func popIfAny() -> Element? { state.withLock { $0.elements.popFirst() } }
}
