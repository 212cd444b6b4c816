internal import DequeModule

/// The sizes of frames on their way to the output, until they are completely written.
struct Deliveries {
    private struct Entry {
        var sizes: Delivery
        /// Where the frame ends in the output.
        var end: UInt64
    }

    /// Smaller frames share an entry, since there may be many.
    static let leastBytes: UInt64 = 64 << 10

    private var entries: Deque<Entry> = []
    /// Where the next frame begins.
    private var position: UInt64 = 0
    /// Whether no more frames will be written.
    private(set) var hasFailed = false

    /// Adds a frame.
    ///
    /// - Parameter count: bytes of the output, including the envelope's in front of the frame.
    mutating func append(_ sizes: Delivery, count: Int) {
        if hasFailed { return }
        position += UInt64(count)
        if let last = entries.indices.last, entries[last].sizes.madeBytes + sizes.madeBytes <= Self.leastBytes {
            entries[last].sizes += sizes
            entries[last].end = position
        } else {
            entries.append(Entry(sizes: sizes, end: position))
        }
    }

    var count: Int { entries.count }

    /// Removes the frames that are written, and sums up their sizes.
    ///
    /// - Parameters:
    ///   - written: bytes of the output.
    ///   - isIdle: whether no write is under way; the remaining frames then lie in a block that is being filled.
    mutating func take(written: UInt64, isIdle: Bool) -> Delivery {
        var sum = Delivery()
        while let entry = entries.first, isIdle || entry.end <= written { sum += entries.removeFirst().sizes }
        return sum
    }

    mutating func didFail() {
        hasFailed = true
        entries = []
    }
}
