internal import DequeModule

/// Puts elements back into the order of their indices. An index may have several elements; the last one says so.
struct ReorderBuffer<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        var elements: Deque<Element> = []
        var isComplete = false
    }

    /// The index whose elements are due.
    private(set) var next = 0
    private var entries: [Int: Entry] = [:]

    /// Elements that wait for others.
    var count: Int { entries.values.reduce(0) { $0 + $1.elements.count } }

    mutating func insert(_ element: Element, at index: Int, isLast: Bool) {
        precondition(index >= next, "an index that is complete got another element")
        entries[index, default: Entry()].elements.append(element)
        if isLast { entries[index]?.isComplete = true }
    }

    /// Takes the next element in order, if it is there.
    mutating func popReady() -> Element? {
        while let entry = entries[next] {
            if let element = entry.elements.first {
                entries[next]?.elements.removeFirst()
                return element
            }
            guard entry.isComplete else { return nil }
            entries[next] = nil
            next += 1
        }
        return nil
    }
}
