internal import Synchronization

/// Counts, from any thread.
package final class Count: Sendable {
    private let number = Atomic(0)

    package init() {}

    package var value: Int { number.load(ordering: .relaxed) }
    package func add(_ more: Int) { number.add(more, ordering: .relaxed) }
}
