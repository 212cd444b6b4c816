extension Statistics {
    package struct PartRun: Equatable, Sendable {
        /// From 1 on.
        package let part: Int
        package let elapsedSeconds: Double
        /// Processor time of all threads, in the kernel too.
        package var cpuSeconds = 0.0
        package var bytesIn: UInt64 = 0
        package var bytesOut: UInt64 = 0
        /// Decompressed bytes.
        package let contentBytes: UInt64
        package let contentBytesPerSecond: Double
        /// The bottleneck that the run reported.
        package var limitedBy: String?

        package init(part: Int, elapsedSeconds: Double, contentBytes: UInt64) {
            (self.part, self.elapsedSeconds, self.contentBytes) = (part, elapsedSeconds, contentBytes)
            contentBytesPerSecond = elapsedSeconds > 0 ? Double(contentBytes) / elapsedSeconds : 0
        }
    }

    /// The distribution of a number over several runs.
    package struct Spread: Equatable, Sendable {
        package let least: Double
        package let median: Double
        package let greatest: Double

        /// All 0 without numbers.
        init(_ numbers: [Double]) {
            let sorted = numbers.sorted()
            least = sorted.first ?? 0
            greatest = sorted.last ?? 0
            let middle = sorted.count / 2
            median = sorted.isEmpty ? 0 : (sorted[middle] + sorted[(sorted.count - 1) / 2]) / 2
        }
    }

    /// The runs that made all the parts of a file: which was slow, and how even the shares were.
    package struct Parts: Equatable, Sendable {
        /// In the order of the parts.
        package let each: [PartRun]
        /// The part whose run took longest; nil without runs.
        package let slowest: Int?
        package let elapsedSeconds: Spread
        package let contentBytes: Spread
        package let contentBytesPerSecond: Spread
        package let totalCPUSeconds: Double
        package let totalContentBytes: UInt64

        /// - Parameter runs: in the order of the parts.
        package init(_ runs: [PartRun]) {
            each = runs
            slowest = runs.max { $0.elapsedSeconds < $1.elapsedSeconds }?.part
            elapsedSeconds = Spread(runs.map(\.elapsedSeconds))
            contentBytes = Spread(runs.map { Double($0.contentBytes) })
            contentBytesPerSecond = Spread(runs.map(\.contentBytesPerSecond))
            totalCPUSeconds = runs.reduce(0) { $0 + $1.cpuSeconds }
            totalContentBytes = runs.reduce(0) { $0 &+ $1.contentBytes }
        }
    }
}
