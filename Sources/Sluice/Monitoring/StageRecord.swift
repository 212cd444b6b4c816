internal import Histogram

/// What one stage of a run did, in numbers that do not grow with the input.
struct StageRecord: Sendable {
    var bytes: UInt64 = 0
    var source: UInt64 = 0
    var operations: UInt64 = 0
    /// Nanoseconds; those of several workers are added up.
    var time: UInt64 = 0
    /// Nanoseconds of that in which a worker did it itself.
    private var workersTime: UInt64 = 0
    /// Nanoseconds of the operation that took longest.
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

    /// The latency in seconds that so many percent of the operations did not exceed.
    func latency(percentile: Double) -> Double {
        // What the histogram has rounded up never exceeds the longest.
        operations == 0 ? 0 : Double(min(latencies.valueAtPercentile(percentile), most)) / 1e9
    }

    /// Seconds.
    var longest: Double { Double(most) / 1e9 }
    /// Seconds.
    var seconds: Double { Double(time) / 1e9 }
    /// Seconds of that in which a worker did it itself.
    var workersSeconds: Double { Double(workersTime) / 1e9 }
}
