/// What a recovery could not get out of a file.
public struct LostContent: Equatable, Sendable {
    /// More ranges than these are only counted.
    static let mostRanges = 1 << 16

    /// The ranges in order, those that touch joined.
    public internal(set) var ranges: [LostRange] = []
    /// Ranges, those that are not kept too.
    public internal(set) var count = 0
    /// Bytes of the file in all of them.
    public internal(set) var inputSize: UInt64 = 0
    /// Bytes of content in all of them, as far as that is known.
    public internal(set) var contentSize: UInt64 = 0
    /// Whether it is known that no more than these are lost.
    public internal(set) var isExact = true
    /// Bytes of zeros that stand in their place.
    public internal(set) var filled: UInt64 = 0
    /// Bytes of content that were recovered.
    public internal(set) var recovered: UInt64 = 0
    /// Whether the last frame was cut, and what it had up to there is given without the proof of its checksum.
    public internal(set) var endsUnproved = false

    /// Whether content is lost, or may be.
    public var isOfContent: Bool { contentSize > 0 || !isExact }

    /// Adds what comes behind the last range.
    mutating func append(_ range: LostRange) {
        inputSize += UInt64(range.input.count)
        contentSize = contentSize.addingReportingOverflow(range.contentSize).partialValue
        isExact = isExact && range.isExact
        filled = filled.addingReportingOverflow(range.filled).partialValue
        if let last = ranges.last, count == ranges.count, last.input.upperBound == range.input.lowerBound,
            last.contentOffset + last.contentSize == range.contentOffset
        {
            var joined = last
            joined.input = last.input.lowerBound..<range.input.upperBound
            joined.contentSize += range.contentSize
            joined.isExact = last.isExact && range.isExact
            joined.filled += range.filled
            ranges[ranges.count - 1] = joined
            return
        }
        count += 1
        if ranges.count < Self.mostRanges { ranges.append(range) }
    }
}
