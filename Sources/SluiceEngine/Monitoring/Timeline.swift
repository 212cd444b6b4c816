/// The course of a run over time and along its data, in a bounded number of buckets that grow wider as it goes on.
package struct Timeline: Sendable {
    /// Sums in buckets of equal width.
    package struct Series: Equatable, Sendable {
        private static let limit = 240

        /// The width of a bucket: nanoseconds, or bytes.
        package private(set) var width: UInt64
        /// The sum of each bucket, from the first one on.
        package private(set) var sums: [Double] = []

        init(width: UInt64) {
            self.width = width
        }

        mutating func add(_ amount: Double, at position: UInt64) {
            while position / width >= UInt64(Self.limit) { merge() }
            let index = Int(position / width)
            if index >= sums.count { sums += Array(repeating: 0, count: index + 1 - sums.count) }
            sums[index] += amount
        }

        /// Adds an amount that is evenly spread between two positions.
        mutating func add(_ amount: Double, from start: UInt64, to end: UInt64) {
            guard end > start else { return add(amount, at: end) }
            while end / width >= UInt64(Self.limit) { merge() }
            let perUnit = amount / Double(end - start)
            var position = start
            while position < end {
                let next = min(end, (position / width + 1) * width)
                add(perUnit * Double(next - position), at: position)
                position = next
            }
        }

        private mutating func merge() {
            sums = stride(from: 0, to: sums.count, by: 2).map { sums[$0] + ($0 + 1 < sums.count ? sums[$0 + 1] : 0) }
            width *= 2
        }
    }

    /// The width of the first buckets: nanoseconds, and bytes of the input.
    package static let (shortest, smallest) = (UInt64(20_000_000), UInt64(1 << 20))
    private let start: UInt64

    // Over time: bytes, then nanoseconds.
    package private(set) var bytesIn = Series(width: shortest)
    package private(set) var bytesOut = Series(width: shortest)
    package private(set) var reading = Series(width: shortest)
    /// Includes the time in which workers read for themselves.
    package private(set) var working = Series(width: shortest)
    package private(set) var writing = Series(width: shortest)
    /// Flushing the output and giving it its name.
    package private(set) var syncing = Series(width: shortest)
    /// Slots in use, times nanoseconds.
    package private(set) var slots = Series(width: shortest)
    // Bytes along the input: of the input, and of its results.
    package private(set) var source = Series(width: smallest)
    package private(set) var result = Series(width: smallest)
    private var position: UInt64 = 0

    /// - Parameter start: of the monotonic clock, in nanoseconds (`StageSpan.now`).
    package init(start: UInt64) {
        self.start = start
    }

    package mutating func record(_ span: StageSpan) {
        let from = span.start - min(start, span.start)
        let to = span.end - min(start, span.end)
        let duration = Double(to - min(from, to))
        switch span.stage {
        case .read:
            bytesIn.add(Double(span.bytes), at: to)
            reading.add(duration, from: from, to: to)
            if span.lane != nil { working.add(duration, from: from, to: to) }
        case .work:
            working.add(duration, from: from, to: to)
        case .write:
            // A frame is spread over the time of its write; reads are small.
            bytesOut.add(Double(span.bytes), from: from, to: to)
            writing.add(duration, from: from, to: to)
        case .slots:
            slots.add(duration * Double(span.bytes), from: from, to: to)
        case .order:
            let end = position + UInt64(span.source)
            source.add(Double(span.source), from: position, to: end)
            result.add(Double(span.bytes), from: position, to: end)
            position = end
        case .blocks:
            if span.lane != nil { working.add(duration, from: from, to: to) }
        case .sync, .name:
            syncing.add(duration, from: from, to: to)
        case .slot, .idle, .upload:
            break
        }
    }
}
