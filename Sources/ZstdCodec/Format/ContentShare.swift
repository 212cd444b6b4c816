/// Part K of N of a content. Each part is a run of whole frames; their numbers differ by one frame at most.
package struct ContentShare: Hashable, Sendable {
    /// The most parts that a content can have.
    package static let mostParts = 1_000_000

    /// The number of the part, from 1 on.
    package let number: Int
    /// How many parts there are.
    package let count: Int

    /// Nil if the number is not among 1 to `count`, or the count is too large.
    package init?(_ number: Int, of count: Int) {
        guard (1...Self.mostParts).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// How many frames a content has; an empty one has one, too.
    ///
    /// - Parameters:
    ///   - size: bytes of the content.
    ///   - frameSize: bytes of each frame but the last, at least 1.
    package static func frameCount(of size: UInt64, frameSize: UInt64) -> UInt64 {
        max(1, size / frameSize + (size % frameSize > 0 ? 1 : 0))
    }

    /// The part of `total` frames or bytes, counted from 0.
    package func range(of total: UInt64) -> Range<UInt64> { bound(number - 1, total)..<bound(number, total) }

    /// The bytes of the content that belong to the part.
    ///
    /// - Parameters:
    ///   - size: bytes of the content.
    ///   - frameSize: bytes of each frame but the last, at least 1.
    package func bytes(of size: UInt64, frameSize: UInt64) -> Range<UInt64> {
        let frames = range(of: Self.frameCount(of: size, frameSize: frameSize))
        let offset = { (frame: UInt64) in frame > size / frameSize ? size : frame * frameSize }
        return offset(frames.lowerBound)..<offset(frames.upperBound)
    }

    /// How many of them belong to the first `parts` parts.
    private func bound(_ parts: Int, _ total: UInt64) -> UInt64 {
        UInt64(count).dividingFullWidth(total.multipliedFullWidth(by: UInt64(parts))).quotient
    }
}

extension ContentShare: CustomStringConvertible {
    /// The share in words, such as "part 2 of 3".
    package var description: String { "part \(number) of \(count)" }
}
