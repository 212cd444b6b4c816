internal import DequeModule

/// Frames that are on their way to the output, until all of their bytes are there: what they were made from, and what
/// they are.
///
/// A value: it waits for nobody.
struct Deliveries {
    private struct Entry {
        var sizes: Delivery
        /// Where the frame ends in the output.
        var end: UInt64
    }

    /// Frames of so many bytes together arrive together: of small ones there may be many.
    static let leastBytes: UInt64 = 64 << 10

    private var entries: Deque<Entry> = []
    /// Where the next frame begins.
    private var position: UInt64 = 0
    private var hasFailed = false

    /// Takes note of a frame that goes out.
    ///
    /// - Parameter count: the bytes that it takes there, those in front of it included.
    mutating func append(_ sizes: Delivery, count: Int) {
        if hasFailed { return }
        position += UInt64(count)
        if let last = entries.indices.last, entries[last].sizes.made + sizes.made <= Self.leastBytes {
            entries[last].sizes += sizes
            entries[last].end = position
        } else {
            entries.append(Entry(sizes: sizes, end: position))
        }
    }

    /// How many arrive by themselves.
    var count: Int { entries.count }

    /// Hands over what has arrived.
    ///
    /// - Parameters:
    ///   - written: bytes of the output that are written.
    ///   - isIdle: whether nothing waits to be written: what is not written then is only gathered.
    mutating func take(written: UInt64, isIdle: Bool) -> Delivery {
        var sum = Delivery()
        while let entry = entries.first, isIdle || entry.end <= written {
            sum += entry.sizes
            entries.removeFirst()
        }
        return sum
    }

    /// Nothing more arrives.
    mutating func didFail() {
        hasFailed = true
        entries = []
    }
}
