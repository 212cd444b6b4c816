/// Selects the bytes of frames that belong to the content ranges that were asked for. Frames arrive in the order in
/// which they are needed.
///
/// The cutter and the writer have one each, and both take the same steps.
struct Excerpt: Sendable {
    private var ranges: ArraySlice<Range<UInt64>>
    /// Where the frames lie, if only needed ones arrive: the next frame is then the one that has the next byte.
    private let index: FrameIndex?
    /// Where the next bytes lie in the content.
    private(set) var position: UInt64 = 0
    /// Whether the next bytes continue a frame.
    private var isWithinFrame = false

    /// - Parameter index: nil if all frames arrive, from the first one on; the ranges must then be in order.
    init(_ ranges: [Range<UInt64>], index: FrameIndex? = nil) {
        self.ranges = ranges.filter { !$0.isEmpty }[...]
        self.index = index
    }

    /// The next byte of the content that is selected; nil when there is none.
    var next: UInt64? { ranges.first?.lowerBound }
    var isComplete: Bool { ranges.isEmpty }

    /// Takes `count` bytes of content: the next frame, or a segment of it.
    ///
    /// - Parameter isLast: whether the frame ends there.
    /// - Returns: the ranges of these bytes that are selected, in order.
    mutating func take(_ count: UInt64, isLast: Bool = true) -> [Range<Int>] {
        if !isWithinFrame, let index, let next, let entry = index.position(of: next) {
            position = index[entry].content.lowerBound
        }
        isWithinFrame = !isLast
        let (start, end) = (position, position + count)
        var selected: [Range<Int>] = []
        while let range = ranges.first, (position..<end).contains(range.lowerBound) {
            position = min(range.upperBound, end)
            selected.append(Int(range.lowerBound - start)..<Int(position - start))
            if position == range.upperBound {
                ranges.removeFirst()
            } else {
                ranges[ranges.startIndex] = position..<range.upperBound
            }
        }
        position = end
        return selected
    }
}
