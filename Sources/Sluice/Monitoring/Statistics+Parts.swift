extension Statistics {
    /// Which part of a file a run did.
    package struct Share: Codable, Equatable, Sendable {
        /// From 1 on.
        package var number: Int
        /// How many parts there are.
        package var count: Int

        /// The part of this number, of so many.
        package init(_ number: Int, of count: Int) { (self.number, self.count) = (number, count) }
    }

    /// What the run did that made a part.
    package struct PartRun: Encodable, Equatable, Sendable {
        /// From 1 on.
        package var part: Int
        /// Seconds from the start to the end.
        package var elapsedSeconds: Double
        /// Seconds that all its threads used together, in the kernel too.
        package var cpuSeconds: Double
        /// Bytes that were read.
        package var bytesIn: UInt64
        /// Bytes that were written.
        package var bytesOut: UInt64
        /// Decompressed bytes.
        package var contentBytes: UInt64
        /// Decompressed bytes, over the whole time.
        package var contentBytesPerSecond: Double
        /// What limited the run, as it said itself.
        package var limitedBy: String?

        /// Decompressed bytes over seconds.
        package init(
            part: Int, elapsedSeconds: Double, cpuSeconds: Double, bytesIn: UInt64, bytesOut: UInt64,
            contentBytes: UInt64, limitedBy: String?
        ) {
            (self.part, self.elapsedSeconds, self.cpuSeconds) = (part, elapsedSeconds, cpuSeconds)
            (self.bytesIn, self.bytesOut, self.contentBytes) = (bytesIn, bytesOut, contentBytes)
            contentBytesPerSecond = elapsedSeconds > 0 ? Double(contentBytes) / elapsedSeconds : 0
            self.limitedBy = limitedBy
        }
    }

    /// How far the numbers of several runs are apart.
    package struct Spread: Encodable, Equatable, Sendable {
        /// The least of them.
        package let least: Double
        /// Half of them are as much at most; of an even number, the mean of the two in the middle.
        package let median: Double
        /// The greatest.
        package let greatest: Double

        /// All 0 for no numbers.
        init(_ numbers: [Double]) {
            let sorted = numbers.sorted()
            least = sorted.first ?? 0
            greatest = sorted.last ?? 0
            let middle = sorted.count / 2
            median = sorted.isEmpty ? 0 : (sorted[middle] + sorted[(sorted.count - 1) / 2]) / 2
        }
    }

    /// What the runs did that made all the parts of a file: who was slow, and how even the shares were.
    package struct Parts: Encodable, Equatable, Sendable {
        /// The runs, in the order of the parts.
        package let each: [PartRun]
        /// The part whose run took longest; nil for none.
        package let slowest: Int?
        /// Seconds that the runs took.
        package let elapsedSeconds: Spread
        /// Decompressed bytes of the parts.
        package let contentBytes: Spread
        /// Decompressed bytes, over the whole time.
        package let contentBytesPerSecond: Spread
        /// Of all runs together, in seconds.
        package let totalCPUSeconds: Double
        /// Decompressed bytes of all parts together.
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
