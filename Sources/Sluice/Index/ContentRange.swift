/// Bytes of a content whose size need not be known: from a place on, or the last ones.
public struct ContentRange: Equatable, Sendable {
    /// The first byte.
    public enum Start: Equatable, Sendable {
        /// So many bytes behind the first one.
        case offset(UInt64)
        /// So many bytes before the end.
        case beforeEnd(UInt64)
    }

    /// Its first byte.
    public let start: Start
    /// Bytes; nil for all up to the end.
    public let count: UInt64?

    /// From a place on.
    ///
    /// - Parameters:
    ///   - start: where it begins.
    ///   - count: bytes; nil for all up to the end.
    public init(_ start: Start, count: UInt64? = nil) {
        self.start = start
        self.count = count
    }

    /// The last bytes.
    public static func last(_ count: UInt64) -> ContentRange { ContentRange(.beforeEnd(count)) }

    /// Whether no byte is asked for.
    var isEmpty: Bool { count == 0 || start == .beforeEnd(0) }

    /// The first byte behind it, if the end of the content need not be known for that; `UInt64.max` for the end.
    var end: UInt64? {
        guard case .offset(let offset) = start else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(count ?? .max)
        return overflow ? .max : end
    }

    /// What of it there is.
    ///
    /// - Parameter size: of the content, in bytes, or of so much of it as reaches beyond the range.
    func resolved(in size: UInt64) -> Range<UInt64> {
        switch start {
        case .offset(let offset):
            let end = min(end ?? .max, size)
            return min(offset, end)..<end
        case .beforeEnd(let distance):
            // What would begin before the first byte has less to go.
            let missing = distance - min(distance, size)
            let first = size - min(distance, size)
            guard let count else { return first..<size }
            return first..<first + min(count - min(count, missing), size - first)
        }
    }
}

extension [ContentRange] {
    /// How far into the content they reach; nil if that depends on where its end is.
    var end: UInt64? {
        reduce(0) { end, range in end.flatMap { end in range.end.map { Swift.max(end, $0) } } }
    }

    /// The ranges, if whoever reads once from the first byte on meets all of them in order.
    var ascending: [Range<UInt64>]? {
        var (ranges, reached): ([Range<UInt64>], UInt64) = ([], 0)
        for range in self where !range.isEmpty {
            guard case .offset(let offset) = range.start, offset >= reached, let end = range.end else { return nil }
            ranges.append(offset..<end)
            reached = end
        }
        return ranges
    }
}
