internal import Histogram

/// How long the operations of a stage took, in memory that does not grow with their number.
struct Latencies: Sendable {
    /// Nanoseconds of each operation, to two significant digits.
    private var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .two)
    /// Nanoseconds of the longest operation.
    private var most: UInt64 = 0

    /// - Parameter duration: nanoseconds.
    mutating func record(_ duration: UInt64) {
        most = max(most, duration)
        histogram.record(max(1, duration))
    }

    /// The seconds that this percentage of the operations did not exceed; 0 if there were none.
    func seconds(atPercentile percentile: Double) -> Double {
        // The histogram rounds up, but not beyond the longest operation.
        most == 0 ? 0 : Double(min(histogram.valueAtPercentile(percentile), most)) / 1e9
    }

    /// Seconds.
    var longest: Double { Double(most) / 1e9 }
}
