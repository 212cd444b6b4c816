internal import Dispatch
internal import Synchronization

/// Bounds what is in flight: a slot for each chunk, several for a large one, from before it is read until it is written
/// and its memory is free.
final class Slots: Sendable {
    let count: Int
    private let semaphore = DispatchSemaphore(value: 0)
    private let taken = Atomic(0)
    private let isCancelled = Atomic(false)
    private let monitor: Monitor?
    private let didChange: (@Sendable (_ change: Int) -> Void)?

    /// - Parameter didChange: called whenever slots were taken or given back, with how many more are in use.
    init(_ count: Int, monitor: Monitor? = nil, didChange: (@Sendable (_ change: Int) -> Void)? = nil) {
        self.didChange = didChange
        self.count = count
        self.monitor = monitor
        // A semaphore that is destroyed below its initial value crashes; this one starts at zero.
        for _ in 0..<count { semaphore.signal() }
    }

    /// Slots in use now.
    var inUse: Int { taken.load(ordering: .relaxed) }

    /// Waits for a free slot.
    ///
    /// - Returns: false if the run failed meanwhile.
    func take() -> Bool {
        semaphore.wait()
        guard !isCancelled.load(ordering: .acquiring) else {
            semaphore.signal()
            return false
        }
        let inUse = taken.add(1, ordering: .relaxed).newValue
        monitor?.slotsDidChange(inUse: inUse, of: count)
        didChange?(1)
        return true
    }

    func give(_ number: Int = 1) {
        let inUse = taken.subtract(number, ordering: .relaxed).newValue
        monitor?.slotsDidChange(inUse: inUse, of: count)
        didChange?(-number)
        for _ in 0..<number { semaphore.signal() }
    }

    /// Wakes whoever waits, after a failure: there are no slots any more.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        semaphore.signal()
    }
}
