package import ByteStreams
internal import Dispatch
internal import Synchronization

/// Bounds the chunks in flight. A chunk holds one slot from before it is read, and more as soon as its size is known,
/// until its frame is written, or copied for writing, and the memory of both is free. Of a chunk in segments, each
/// segment holds one besides.
package final class Slots: Sendable {
    package let count: Int
    private let semaphore = DispatchSemaphore(value: 0)
    // The monitor is called under the lock, so that the numbers reach it in order.
    private let use = Mutex((taken: 0, unread: 0))
    private let isCancelled = Atomic(false)
    private let monitor: Monitor?
    private let others: Slots?
    private let didChange: (@Sendable (_ change: Int) -> Void)?

    /// - Parameters:
    ///   - others: slots that the reader can't take while it waits for one of these. Meanwhile all of them count as in
    ///     use: otherwise output might be held back until enough are, and the reader wait for that output.
    ///   - didChange: receives each change in the number of slots in use.
    package init(
        _ count: Int, insteadOf others: Slots? = nil, monitor: Monitor? = nil,
        didChange: (@Sendable (_ change: Int) -> Void)? = nil
    ) {
        (self.others, self.didChange) = (others, didChange)
        self.count = count
        self.monitor = monitor
        // A semaphore that is destroyed below its initial value crashes; this one starts at zero.
        for _ in 0..<count { semaphore.signal() }
    }

    package var inUse: Int { use.withLock { $0.taken } }

    /// Waits for a free slot.
    ///
    /// - Parameter unread: whether its chunk has not been read yet; the monitor does not count the slot before `fill`.
    /// - Returns: false if the run has failed in the meantime.
    package func take(unread: Bool = false) -> Bool {
        if semaphore.wait(timeout: .now()) == .timedOut {
            if let others { others.whileTakingNone { semaphore.wait() } } else { semaphore.wait() }
        }
        guard !isCancelled.load(ordering: .acquiring) else {
            semaphore.signal()
            return false
        }
        change(taken: 1, unread: unread ? 1 : 0)
        didChange?(1)
        return true
    }

    /// Runs a body in which the only thread that takes slots takes none: meanwhile all of them count as in use.
    func whileTakingNone(_ body: () -> Void) {
        didChange?(count)
        body()
        didChange?(-count)
    }

    /// Waits for the other slots of a chunk, besides the one that the reader already holds.
    ///
    /// - Parameter wanted: how many slots the chunk should have.
    /// - Returns: how many it gets: at least one, at most all.
    /// - Throws: `cancelled` if the run has failed in the meantime.
    package func takeMore(for wanted: Int) throws(Failure) -> Int {
        let number = max(1, min(count, wanted))
        for _ in 1..<number {
            guard take() else { throw .cancelled }
        }
        return number
    }

    /// Reports that the chunk of such a slot has been read.
    package func fill() { change(taken: 0, unread: -1) }

    /// - Parameter unread: whether their chunks were never read.
    package func give(_ number: Int = 1, unread: Bool = false) {
        change(taken: -number, unread: unread ? -number : 0)
        didChange?(-number)
        for _ in 0..<number { semaphore.signal() }
    }

    /// Wakes all waiting threads; after a failure, no more slots are given out.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        use.withLock { _ in monitor?.slotsDidChange(inUse: 0, of: count) }
        // Wakes one thread, which wakes the next one in `take`.
        semaphore.signal()
    }

    private func change(taken: Int, unread: Int) {
        use.withLock { use in
            use.taken += taken
            use.unread += unread
            // Slots of a failed run don't count any more, because another run may have begun.
            if !isCancelled.load(ordering: .acquiring) {
                monitor?.slotsDidChange(inUse: use.taken - use.unread, of: count)
            }
        }
    }
}
