internal import Histogram

/// The sums and latencies of one stage of a run, in memory that does not grow with the input.
struct StageRecord: Sendable {
    var bytes: UInt64 = 0
    var source: UInt64 = 0
    var operations: UInt64 = 0
    /// Nanoseconds, summed over all workers.
    private var time: UInt64 = 0
    /// Nanoseconds of operations that a worker did itself.
    private var workersTime: UInt64 = 0
    /// Nanoseconds of the longest operation.
    private var most: UInt64 = 0
    /// Nanoseconds of each operation, to two significant digits.
    private var latencies = Histogram<UInt64>(numberOfSignificantValueDigits: .two)

    mutating func record(_ span: Span) {
        let duration = span.end - min(span.start, span.end)
        bytes += UInt64(span.bytes)
        source += UInt64(span.source)
        operations += 1
        time += duration
        if span.lane != nil { workersTime += duration }
        most = max(most, duration)
        latencies.record(max(1, duration))
    }

    /// Seconds.
    func latency(percentile: Double) -> Double {
        // The histogram rounds up, but not beyond the longest operation.
        operations == 0 ? 0 : Double(min(latencies.valueAtPercentile(percentile), most)) / 1e9
    }

    /// Seconds.
    var longest: Double { Double(most) / 1e9 }
    /// Seconds.
    var seconds: Double { Double(time) / 1e9 }
    /// Seconds of operations that a worker did itself.
    var workersSeconds: Double { Double(workersTime) / 1e9 }
}
