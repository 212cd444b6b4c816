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
                // Wake the next waiting thread.
                available.signal()
                return nil
            }
        }
    }

    /// The next element, if there is one now. A thread in `pop` may then wake up without one, and waits again.
    package func popIfAny() -> Element? { state.withLock { $0.elements.popFirst() } }
}
