/// Part K of N of some content. Each part is a run of whole frames; the numbers of frames differ by at most one.
package struct PartNumber: Hashable, Sendable {
    /// The most parts that content can have.
    package static let mostParts = 1_000_000

    /// The number of the part, from 1.
    package let number: Int
    /// How many parts there are.
    package let count: Int

    /// Nil if the number is not in 1 to `count`, or `count` is too large.
    package init?(_ number: Int, of count: Int) {
        guard (1...Self.mostParts).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// The number of frames of some content; empty content also has one.
    ///
    /// - Parameters:
    ///   - size: the size of the content in bytes.
    ///   - frameSize: the content size of each frame except the last, in bytes, at least 1.
    package static func frameCount(of size: UInt64, frameSize: UInt64) -> UInt64 {
        max(1, size / frameSize + (size % frameSize > 0 ? 1 : 0))
    }

    /// The part's range among `total` frames or bytes, counted from 0.
    package func range(of total: UInt64) -> Range<UInt64> { bound(number - 1, total)..<bound(number, total) }

    /// The part's range of bytes in the content.
    ///
    /// - Parameters:
    ///   - size: the size of the content in bytes.
    ///   - frameSize: the content size of each frame except the last, in bytes, at least 1.
    package func bytes(of size: UInt64, frameSize: UInt64) -> Range<UInt64> {
        let frames = range(of: Self.frameCount(of: size, frameSize: frameSize))
        let offset = { (frame: UInt64) in frame > size / frameSize ? size : frame * frameSize }
        return offset(frames.lowerBound)..<offset(frames.upperBound)
    }

    /// How many of `total` belong to the first `parts` parts.
    private func bound(_ parts: Int, _ total: UInt64) -> UInt64 {
        UInt64(count).dividingFullWidth(total.multipliedFullWidth(by: UInt64(parts))).quotient
    }
}

extension PartNumber: CustomStringConvertible {
    /// The part in words, such as "part 2 of 3".
    package var description: String { "part \(number) of \(count)" }
}
