internal import ZstdCodec

/// Which bytes of the content go out: ranges, one after another, of frames that come in the order in which they are
/// needed.
///
/// A pure value. Whoever cuts and whoever writes have one each, and both take the same steps.
struct Excerpt: Sendable {
    private var ranges: ArraySlice<Range<UInt64>>
    /// Where frames lie, if they come out of turn: each next one is then that which has the next byte.
    private let index: FrameIndex?
    /// Bytes of the content before what comes next.
    private(set) var position: UInt64 = 0
    /// Whether what comes next goes on with a frame whose first pieces have come.
    private var isWithinFrame = false

    /// - Parameter index: nil if all frames come, from the first one on; the ranges must then be in order.
    init(_ ranges: [Range<UInt64>], index: FrameIndex? = nil) {
        self.ranges = ranges.filter { !$0.isEmpty }[...]
        self.index = index
    }

    /// The next byte of the content that goes out; nil when all have.
    var next: UInt64? { ranges.first?.lowerBound }
    /// Whether nothing more goes out, whatever comes.
    var isComplete: Bool { ranges.isEmpty }

    /// Takes the content of the next frame, or a piece of it.
    ///
    /// - Parameters:
    ///   - count: bytes.
    ///   - isLast: whether the frame ends there.
    /// - Returns: what of it goes out, in order.
    mutating func take(_ count: UInt64, isLast: Bool = true) -> [Range<Int>] {
        if !isWithinFrame, let index, let next, let entry = index.position(of: next) {
            position = index[entry].content.lowerBound
        }
        isWithinFrame = !isLast
        let (start, end) = (position, position + count)
        var pieces: [Range<Int>] = []
        while let range = ranges.first, (position..<end).contains(range.lowerBound) {
            position = min(range.upperBound, end)
            pieces.append(Int(range.lowerBound - start)..<Int(position - start))
            if position == range.upperBound {
                ranges.removeFirst()
            } else {
                ranges[ranges.startIndex] = position..<range.upperBound
            }
        }
        position = end
        return pieces
    }
}
