/// Which part of a content is meant: the K-th of N stretches of whole frames, of which none has more than a frame more
/// than another.
public struct ContentShare: Hashable, Sendable {
    /// So many parts a content has at most.
    public static let mostParts = 1_000_000

    /// From 1 on.
    public let number: Int
    /// How many parts there are.
    public let count: Int

    /// Nil for a number that is not among 1 to `count`, or too large a count.
    public init?(_ number: Int, of count: Int) {
        guard (1...Self.mostParts).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Frames of a content: an empty one has one, too.
    ///
    /// - Parameters:
    ///   - size: bytes of the content.
    ///   - frameSize: bytes of each frame but the last, at least 1.
    public static func frameCount(of size: UInt64, frameSize: UInt64) -> UInt64 {
        max(1, size / frameSize + (size % frameSize > 0 ? 1 : 0))
    }

    /// Those of so many frames that belong to the part, counted from 0.
    public func frames(of total: UInt64) -> Range<UInt64> { bound(number - 1, total)..<bound(number, total) }

    /// Those bytes of a content that belong to the part.
    ///
    /// - Parameters:
    ///   - size: bytes of the content.
    ///   - frameSize: bytes of each frame but the last, at least 1.
    public func bytes(of size: UInt64, frameSize: UInt64) -> Range<UInt64> {
        let frames = frames(of: Self.frameCount(of: size, frameSize: frameSize))
        let offset = { (frame: UInt64) in frame > size / frameSize ? size : frame * frameSize }
        return offset(frames.lowerBound)..<offset(frames.upperBound)
    }

    /// Frames before the part that follows so many others.
    private func bound(_ parts: Int, _ total: UInt64) -> UInt64 {
        UInt64(count).dividingFullWidth(total.multipliedFullWidth(by: UInt64(parts))).quotient
    }
}

extension ContentShare: CustomStringConvertible {
    /// As it is told to a person.
    public var description: String { "part \(number) of \(count)" }
}
