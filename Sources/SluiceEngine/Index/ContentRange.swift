/// A range of content whose size need not be known: from an offset on, or the last bytes.
///
///     let ranges: [ContentRange] = [ContentRange(0..<100), .from(5_000_000), .last(100)]
///     try await Decompression(ranges: ranges).run(from: .file("a.zst"), to: .file("parts"))
///
/// A range that goes past the end of the content is not an error: the bytes that are there are written. If none of the
/// ranges has any, the run throws `outOfRange`, unless all of them are empty.
public struct ContentRange: Equatable, Sendable {
    /// Where a range starts.
    package enum Start: Equatable, Sendable {
        /// Bytes from the start of the content.
        case offset(UInt64)
        /// Bytes before its end.
        case beforeEnd(UInt64)
    }

    /// The first byte.
    package let start: Start
    /// Bytes; nil for all up to the end.
    package let count: UInt64?

    /// A range of content bytes, counted from 0. What lies after the end of the content is left out.
    public init(_ range: Range<Int>) {
        let first = UInt64(clamping: range.lowerBound)
        self.init(.offset(first), count: UInt64(clamping: range.upperBound) - first)
    }

    /// All bytes from an offset on.
    ///
    /// - Parameter offset: bytes from the start of the content.
    public static func from(_ offset: Int) -> ContentRange { ContentRange(.offset(UInt64(clamping: offset))) }

    /// The last bytes; all of them if there are fewer.
    ///
    /// - Parameter count: bytes.
    public static func last(_ count: Int) -> ContentRange { ContentRange(.beforeEnd(UInt64(clamping: count))) }

    /// A range of `count` bytes, or of all up to the end.
    package init(_ start: Start, count: UInt64? = nil) {
        self.start = start
        self.count = count
    }

    var isEmpty: Bool { count == 0 || start == .beforeEnd(0) }

    /// Whether content may have none of its bytes: empty content has no last ones.
    var mayBeEmpty: Bool {
        if case .beforeEnd = start, count == nil { true } else { isEmpty }
    }

    /// The first byte after the range, `UInt64.max` for the end of the content; nil if that depends on its size.
    var end: UInt64? {
        guard case .offset(let offset) = start else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(count ?? .max)
        return overflow ? .max : end
    }

    /// The bytes of the range that exist.
    ///
    /// - Parameter size: bytes of the content, or as many of them as reach beyond the range.
    func resolved(in size: UInt64) -> Range<UInt64> {
        switch start {
        case .offset(let offset):
            let end = min(end ?? .max, size)
            return min(offset, end)..<end
        case .beforeEnd(let distance):
            // Bytes before the first one don't exist.
            let missing = distance - min(distance, size)
            let first = size - min(distance, size)
            guard let count else { return first..<size }
            return first..<first + min(count - min(count, missing), size - first)
        }
    }
}

extension [ContentRange] {
    /// How far into the content they reach; nil if that depends on its size.
    var end: UInt64? {
        reduce(0) { end, range in end.flatMap { end in range.end.map { Swift.max(end, $0) } } }
    }

    /// The ranges, if one pass over the content meets all of them in order.
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
