internal import DequeModule

/// Puts elements back into the order of their indices. An index may have several elements, of which the last is marked.
struct ReorderBuffer<Element: Sendable>: Sendable {
    /// The index of the next elements.
    private(set) var next = 0
    /// The elements of each index; nil marks the end of an index. Those of `next` never begin with a mark.
    private var elements: [Int: Deque<Element?>] = [:]

    /// The number of elements that wait for earlier ones.
    var count: Int { elements.values.reduce(0) { $0 + $1.count { $0 != nil } } }
    /// Whether the next element has arrived.
    var isReady: Bool { elements[next]?.isEmpty == false }

    mutating func insert(_ element: Element, at index: Int, isLast: Bool) {
        precondition(index >= next, "an index that is complete got another element")
        elements[index, default: []].append(element)
        if isLast { elements[index]?.append(nil) }
    }

    /// The first element of an index that is not due yet, or next; nil if it has not arrived.
    func first(of index: Int) -> Element? { elements[index]?.first ?? nil }

    /// Removes the next element in order, if it has arrived.
    mutating func popReady() -> Element? {
        let element = elements[next]?.popFirst() ?? nil
        if let first = elements[next]?.first, first == nil {
            elements[next] = nil
            next += 1
        }
        return element
    }
}
