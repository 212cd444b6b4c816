package import ByteStreams
internal import Dispatch
internal import Synchronization

/// Bounds the chunks in flight: each has a slot, or several if it is large, from before it is read until its frame is
/// written, or copied for that, and their memory is free.
package final class Slots: Sendable {
    package let count: Int
    private let semaphore = DispatchSemaphore(value: 0)
    // The monitor is called under the lock, so that the numbers reach it in order.
    private let use = Mutex((taken: 0, empty: 0))
    private let isCancelled = Atomic(false)
    private let monitor: Monitor?
    private let didChange: (@Sendable (_ change: Int) -> Void)?

    /// - Parameter didChange: receives how many more slots are in use whenever that changes.
    package init(_ count: Int, monitor: Monitor? = nil, didChange: (@Sendable (_ change: Int) -> Void)? = nil) {
        self.didChange = didChange
        self.count = count
        self.monitor = monitor
        // A semaphore that is destroyed below its initial value crashes; this one starts at zero.
        for _ in 0..<count { semaphore.signal() }
    }

    package var inUse: Int { use.withLock { $0.taken } }

    /// Waits for a free slot.
    ///
    /// - Parameters:
    ///   - isEmpty: whether its chunk has still to be read; the monitor does not count it before `fill`.
    ///   - others: slots that nobody can take while this waits: all of them count as in use.
    /// - Returns: false if the run failed meanwhile.
    package func take(isEmpty: Bool = false, insteadOf others: Slots? = nil) -> Bool {
        if semaphore.wait(timeout: .now()) == .timedOut {
            if let others { others.didChange?(others.count) }
            semaphore.wait()
            if let others { others.didChange?(-others.count) }
        }
        guard !isCancelled.load(ordering: .acquiring) else {
            semaphore.signal()
            return false
        }
        change(taken: 1, empty: isEmpty ? 1 : 0)
        didChange?(1)
        return true
    }

    /// Waits for the slots of a chunk besides the one that the reader holds for it.
    ///
    /// - Parameter wanted: how many the chunk should have.
    /// - Returns: how many it has: at least one, at most all.
    /// - Throws: `cancelled` if the run failed meanwhile.
    package func takeMore(for wanted: Int) throws(Failure) -> Int {
        let number = max(1, min(count, wanted))
        for _ in 1..<number {
            guard take() else { throw .cancelled }
        }
        return number
    }

    /// Reports that the chunk of an empty slot was read.
    package func fill() { change(taken: 0, empty: -1) }

    /// - Parameter areEmpty: whether their chunks were never read.
    package func give(_ number: Int = 1, areEmpty: Bool = false) {
        change(taken: -number, empty: areEmpty ? -number : 0)
        didChange?(-number)
        for _ in 0..<number { semaphore.signal() }
    }

    /// Wakes all threads that wait: after a failure there are no slots any more.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        use.withLock { _ in monitor?.slotsDidChange(inUse: 0, of: count) }
        semaphore.signal()
    }

    private func change(taken: Int, empty: Int) {
        use.withLock { use in
            use.taken += taken
            use.empty += empty
            // The slots of a failed run don't count any more: another run may have begun.
            if !isCancelled.load(ordering: .acquiring) {
                monitor?.slotsDidChange(inUse: use.taken - use.empty, of: count)
            }
        }
    }
}

/// What goes back when the last one lets go of it, and of the memory that it stands for: slots of a chunk or of its
/// frame, wherever these are written, copied or dropped.
package final class Lease: Sendable {
    private let ends: Mutex<[@Sendable () -> Void]>
    private let isOfInput: Bool

    /// - Parameter isOfInput: whether it goes with memory that was read into, which is freed at once.
    package init(isOfInput: Bool = false, _ end: @escaping @Sendable () -> Void) {
        ends = Mutex([end])
        self.isOfInput = isOfInput
    }

    /// Runs another body at the end, after the others.
    func then(_ end: @escaping @Sendable () -> Void) { ends.withLock { $0.append(end) } }

    deinit {
        let ends = ends.withLock { $0 }
        let end = { @Sendable in for end in ends { end() } }
        if isOfInput { end() } else { OutputBuffer.afterReleases(end) }
    }
}
