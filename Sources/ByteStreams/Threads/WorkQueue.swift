internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Hands elements from one thread to others, first in, first out. Only `pop` waits.
package final class WorkQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: Deque<Element> = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    package init() {}

    /// Adds an element; after `close` it is dropped.
    ///
    /// - Returns: whether it was added.
    @discardableResult package func push(_ element: Element) -> Bool {
        let isAdded = state.withLock { state in
            if !state.isClosed { state.elements.append(element) }
            return !state.isClosed
        }
        available.signal()
        return isAdded
    }

    /// Ends the queue. Elements that are waiting are still handed out, or dropped.
    package func close(dropping: Bool = false) {
        state.withLock { state in
            if dropping { state.elements = [] }
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
            let (element, isClosed) = state.withLock { ($0.elements.popFirst(), $0.isClosed) }
            if element == nil, isClosed {
                // Wakes the next waiting thread.
                available.signal()
                return nil
            }
            if let element { return element }
        }
    }

    /// The next element, if there is one now. A thread in `pop` may be woken for nothing, which it expects.
    package func popIfAny() -> Element? { state.withLock { $0.elements.popFirst() } }
}
