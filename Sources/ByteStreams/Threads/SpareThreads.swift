internal import Dispatch
internal import Synchronization

/// Threads that share the same work, so that all but one of them may end before it is done.
///
/// libdispatch and the command can't do without some threads, and a limit (`ulimit -u`, a control group) may leave none
/// for them. In the command, whoever needs one then asks for it and waits (CStart), and one of these ends, as soon as
/// it is between two pieces of work. So a run with many threads does what it would do with one.
package final class SpareThreads: Sendable {
    private struct Reference {
        weak var threads: SpareThreads?
    }

    private static let all = Mutex<[ObjectIdentifier: Reference]>([:])
    /// Initialized once, with the first threads that may end.
    private static let giver: Void = onThreadRequest { SpareThreads.wakeAll() }

    private let count = Atomic(0)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: wakes a thread that waits for work, which then asks `givesWay`. It may not start a thread, nor
    ///   take a lock that is held while one is started.
    package init(wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

    deinit { didEnd() }

    /// Counts one more thread.
    package func didStart() {
        guard count.add(1, ordering: .relaxed).newValue == 2 else { return }
        _ = Self.giver
        Self.all.withLock { $0[ObjectIdentifier(self)] = Reference(threads: self) }
    }

    /// Whether the calling thread must end now, because another one is needed. It is then no longer counted.
    package func givesWay() -> Bool {
        guard isThreadWanted() else { return false }
        var now = count.load(ordering: .relaxed)
        while now > 1 {
            let (isCounted, other) = count.compareExchange(expected: now, desired: now - 1, ordering: .relaxed)
            now = other
            guard isCounted else { continue }
            if takesThreadRequest() { return true }
            count.add(1, ordering: .relaxed)
            return false
        }
        return false
    }

    /// No more work comes: all of them end anyway.
    package func didEnd() { Self.all.withLock { $0[ObjectIdentifier(self)] = nil } }

    /// - Returns: whether any thread may end.
    private static func wakeAll() -> Bool {
        let all = all.withLock { $0.values.compactMap(\.threads) }.filter { $0.count.load(ordering: .relaxed) > 1 }
        for threads in all { threads.wake() }
        return !all.isEmpty
    }
}

/// How many threads, at least one and at most `count`, can be started so that some are left for libdispatch: for a
/// library that starts its own, and does nothing if it can't have all of them.
package func startableThreads(_ count: Int) -> Int {
    let end = WorkQueue<Never>()
    let group = DispatchGroup()
    // Reading, writing, freeing, progress and signals.
    let reserve = 5
    let started = (0..<count + reserve).prefix { _ in
        (try? startThread(in: group, isSpare: true) { _ = end.pop() }) != nil
    }
    end.close()
    group.wait()
    return max(1, min(count, started.count - reserve))
}
