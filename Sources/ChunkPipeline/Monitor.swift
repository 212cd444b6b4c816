package import ByteStreams
internal import Glibc
internal import Synchronization

/// Collects what the stages of a run report while it is running, or of several runs in sequence.
package final class Monitor: Sendable {
    private struct Occupancy {
        var inUse = 0
        var count = 0
        var most = 0
        var since: UInt64 = 0
        /// The sum of slots in use times nanoseconds.
        var integral = 0.0
    }

    private let observers: [SpanObserver]
    private let workersBusy = Atomic(0)
    /// Bytes of the input that workers have consumed within their current frames.
    private let consumedWithin = Atomic(0)
    private let occupancy = Mutex(Occupancy())
    private let processorTime = Atomic(UInt64(0))
    private let delivered = Mutex((sum: Delivery(), isWriting: false))
    private let levels = Mutex<LevelUse?>(nil)

    /// - Parameter observers: receive every span, in this order.
    package init(_ observers: [SpanObserver]) {
        self.observers = observers
    }

    /// The number of workers that have a chunk now.
    package var busyWorkers: Int { workersBusy.load(ordering: .relaxed) }

    /// The bytes of the input that workers have consumed within their current frames. Those of a frame that ends no
    /// longer count before its `work` is recorded.
    package var consumedWithinFrames: UInt64 { UInt64(max(0, consumedWithin.load(ordering: .relaxed))) }

    /// Counts bytes of the input within a frame that a worker makes.
    package func didConsume(_ bytes: Int) { consumedWithin.add(bytes, ordering: .relaxed) }

    package var slots: (inUse: Int, count: Int) { occupancy.withLock { ($0.inUse, $0.count) } }

    /// The sum of the times for which each slot was in use, and the most slots in use at once.
    package var slotUse: (seconds: Double, most: Int) {
        occupancy.withLock { ($0.integral / 1e9, $0.most) }
    }

    /// The deliveries of all runs, and whether the last run is waiting for something to be written.
    package var deliveries: (sum: Delivery, isWriting: Bool) { delivered.withLock { $0 } }

    /// The levels chosen by runs; nil if they were fixed.
    package var levelUse: LevelUse? { levels.withLock { $0 } }

    /// The processor time of all threads of the run that have ended, in nanoseconds.
    package var threadsTime: UInt64 { processorTime.load(ordering: .relaxed) }

    /// Adds the processor time of the calling thread, which belongs to this run only and is about to end.
    package func threadDidEnd() {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        processorTime.add(UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec), ordering: .relaxed)
    }

    /// Records that content was compressed at a level chosen for it.
    package func didCompress(_ bytes: Int, at level: Int) {
        levels.withLock { $0 = LevelUse($0, adding: bytes, at: level) }
    }

    package func record(_ span: StageSpan) { for observe in observers { observe(span) } }

    /// Records what was written or verified, and whether the run is waiting for more to be written.
    package func didDeliver(_ sizes: Delivery, isWriting: Bool) {
        delivered.withLock { state in
            state.sum += sizes
            state.isWriting = isWriting
        }
    }

    package func workerDidBegin() { workersBusy.add(1, ordering: .relaxed) }
    package func workerDidEnd() { workersBusy.subtract(1, ordering: .relaxed) }

    /// Records the new number of slots in use. Calls must be made in the order of the changes.
    package func slotsDidChange(inUse: Int, of count: Int) {
        let now = StageSpan.now()
        let span = occupancy.withLock { state in
            let span = StageSpan(stage: .slots, bytes: state.inUse, start: min(state.since, now), end: now)
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

/// The levels at which content was compressed, when each chunk had its own.
package struct LevelUse: Equatable, Sendable {
    package let lowest: Int
    package let highest: Int
    /// The mean level, weighted by bytes of content.
    package let mean: Double
    /// The level of the last chunk.
    package let latest: Int
    /// Bytes of content.
    private let bytes: UInt64

    package init(_ before: LevelUse?, adding count: Int, at level: Int) {
        lowest = min(level, before?.lowest ?? level)
        highest = max(level, before?.highest ?? level)
        latest = level
        bytes = (before?.bytes ?? 0) + UInt64(count)
        let earlier = before?.mean ?? Double(level)
        mean = bytes > 0 ? earlier + (Double(level) - earlier) * Double(count) / Double(bytes) : earlier
    }
}
