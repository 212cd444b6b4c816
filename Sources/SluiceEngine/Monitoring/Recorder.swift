internal import Glibc
internal import Synchronization

/// Collects the numbers for the statistics of a run, or of several runs in sequence.
///
/// Each stage has its own lock, which is taken once for each chunk and almost never contended.
package final class Recorder: Sendable {
    private let stages: [Locked<StageRecord>]
    private let lanes = Atomic(0)
    private let start: UInt64
    /// The processor time of the process before, in seconds.
    private let processorStart: Double

    /// - Parameter start: of the monotonic clock, in nanoseconds (`StageSpan.now`).
    package init(start: UInt64 = StageSpan.now()) {
        self.start = start
        processorStart = processTime()
        stages = StageSpan.Stage.allCases.map { _ in Locked(StageRecord()) }
    }

    package func observe(_ span: StageSpan) {
        stages[span.stage.rawValue].withLock { $0.record(span) }
        if let lane = span.lane, lane >= lanes.load(ordering: .relaxed) {
            _ = lanes.max(lane + 1, ordering: .relaxed)
        }
    }

    /// How many workers had work.
    var workers: Int { lanes.load(ordering: .relaxed) }
    /// Seconds since the start.
    var elapsed: Double { Double(StageSpan.now() - start) / 1e9 }
    /// The processor time that all threads of the process have used since, in seconds.
    var processorTime: Double { max(0, processTime() - processorStart) }

    func record(of stage: StageSpan.Stage) -> StageRecord { stages[stage.rawValue].withLock { $0 } }
}

/// The processor time of this process, in seconds.
private func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The sums and latencies of one stage of a run, in memory that does not grow with the input.
struct StageRecord: Sendable {
    var bytes: UInt64 = 0
    var source: UInt64 = 0
    var operations: UInt64 = 0
    /// Nanoseconds, summed over all workers.
    private var time: UInt64 = 0
    /// Nanoseconds of operations that a worker did itself.
    private var workersTime: UInt64 = 0
    private(set) var latencies = Latencies()

    mutating func record(_ span: StageSpan) {
        let duration = span.end - min(span.start, span.end)
        bytes += UInt64(span.bytes)
        source += UInt64(span.source)
        operations += 1
        time += duration
        if span.lane != nil { workersTime += duration }
        latencies.record(duration)
    }

    /// Seconds.
    var seconds: Double { Double(time) / 1e9 }
    /// Seconds of operations that a worker did itself.
    var workersSeconds: Double { Double(workersTime) / 1e9 }
}
