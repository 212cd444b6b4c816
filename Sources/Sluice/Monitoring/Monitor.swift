internal import Glibc
internal import Synchronization

/// What is known of a run, or of several one after another, while they go on. Every stage tells it what it did.
package final class Monitor: Sendable {
    private struct Occupancy {
        var inUse = 0
        var count = 0
        var most = 0
        var since: UInt64 = 0
        /// Slots in use, times nanoseconds.
        var integral = 0.0
    }

    private let observers: [SpanObserver]
    private let workersBusy = Atomic(0)
    private let occupancy = Mutex(Occupancy())
    private let processorTime = Atomic(UInt64(0))
    private let delivered = Mutex((sum: Delivery(), isWriting: false))
    private let levels = Mutex<LevelUse?>(nil)

    /// - Parameter observers: those that are told of every span, in this order.
    package init(_ observers: [SpanObserver]) {
        self.observers = observers
    }

    /// Workers that have a chunk now.
    package var busyWorkers: Int { workersBusy.load(ordering: .relaxed) }

    /// Slots now, and how many of them are in use.
    package var slots: (inUse: Int, count: Int) { occupancy.withLock { ($0.inUse, $0.count) } }

    /// How long slots were in use, in seconds of all of them added up, and how many at once at most.
    package var slotUse: (seconds: Double, most: Int) {
        occupancy.withLock { ($0.integral / 1e9, $0.most) }
    }

    /// What has arrived at the outputs of all runs, and whether the last of them waits for something to be written.
    package var deliveries: (sum: Delivery, isWriting: Bool) { delivered.withLock { $0 } }

    /// The levels that were chosen while runs went on; nil if none had a choice.
    package var levelUse: LevelUse? { levels.withLock { $0 } }

    /// Nanoseconds that threads which belonged to the run alone had of processors, when they ended.
    var threadsTime: UInt64 { processorTime.load(ordering: .relaxed) }

    /// Takes note of what the calling thread had of processors: it belongs to the run alone, and ends.
    func threadDidEnd() {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        processorTime.add(UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec), ordering: .relaxed)
    }

    /// Takes note of content that was compressed at a level that had been chosen for it.
    func didCompress(_ bytes: Int, at level: Int) {
        levels.withLock { $0 = LevelUse($0, adding: bytes, at: level) }
    }

    /// Takes note of what a stage did.
    package func record(_ span: Span) {
        for observe in observers { observe(span) }
    }

    /// Takes note of what has arrived at an output, or was verified, and of whether the run waits for more to arrive.
    func didDeliver(_ sizes: Delivery, isWriting: Bool) {
        delivered.withLock { state in
            state.sum += sizes
            state.isWriting = isWriting
        }
    }

    func workerDidBegin() { workersBusy.add(1, ordering: .relaxed) }
    func workerDidEnd() { workersBusy.subtract(1, ordering: .relaxed) }

    /// Takes note of how many slots are in use from now on. The values have to come in the order in which they held.
    func slotsDidChange(inUse: Int, of count: Int) {
        let now = Span.now()
        let span = occupancy.withLock { state in
            let span = Span(stage: .slots, bytes: state.inUse, start: min(state.since, now), end: now)
            state.integral += Double(state.inUse) * Double(now - span.start)
            state.inUse = inUse
            state.count = count
            state.most = max(state.most, inUse)
            state.since = now
            return span
        }
        if span.bytes > 0 { record(span) }
    }
}
