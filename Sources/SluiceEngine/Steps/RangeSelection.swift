/// Selects the bytes of frames that belong to the content ranges that were asked for. Frames arrive in the order in
/// which they are needed.
///
/// The cutter and the writer have one each, and both take the same steps.
struct RangeSelection: Sendable {
    // Never changed: the cutter looks ahead in copies, which would each copy all ranges.
    private let ranges: [Range<UInt64>]
    /// The range that has the next byte, and where in the content the rest of it begins.
    private var current = (position: 0, start: UInt64(0))
    /// Where the frames lie, if only needed ones arrive: the next frame is then the one that has the next byte.
    private let index: FrameIndex?
    /// Where the next bytes lie in the content.
    private(set) var position: UInt64 = 0
    /// Whether the next bytes continue a frame.
    private var isWithinFrame = false

    /// - Parameter index: nil if all frames arrive, from the first one on; the ranges must then be in order.
    init(_ ranges: [Range<UInt64>], index: FrameIndex? = nil) {
        self.ranges = ranges.filter { !$0.isEmpty }
        self.index = index
    }

    /// The next byte of the content that is selected; nil when there is none.
    var next: UInt64? { isComplete ? nil : max(ranges[current.position].lowerBound, current.start) }
    var isComplete: Bool { current.position == ranges.count }

    /// Takes `count` bytes of content: the next frame, or a segment of it.
    ///
    /// - Parameter isLast: whether the frame ends there.
    /// - Returns: the ranges of these bytes that are selected, in order.
    mutating func take(_ count: UInt64, isLast: Bool = true) -> [Range<Int>] {
        if !isWithinFrame, let index, let next, let entry = index.position(ofContent: next) {
            position = index[entry].content.lowerBound
        }
        isWithinFrame = !isLast
        let (start, end) = (position, position + count)
        var selected: [Range<Int>] = []
        while let next, (position..<end).contains(next) {
            let last = ranges[current.position].upperBound
            position = min(last, end)
            selected.append(Int(next - start)..<Int(position - start))
            current = position == last ? (current.position + 1, 0) : (current.position, position)
        }
        position = end
        return selected
    }
}
