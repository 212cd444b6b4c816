internal import ByteStreams

/// What becomes of content that is lost.
package enum LossFilling: String, CaseIterable, Sendable {
    /// It is replaced by zeros, as far as its size is known, so that what follows keeps its offset.
    case zeros
    /// It is left out.
    case drop

    /// The number of zeros that replace lost content.
    func zeros(for loss: LossSize) -> UInt64 { self == .zeros && loss.isFillable ? loss.size : 0 }
}

/// A range of a damaged file from which nothing could be recovered.
package struct LostRange: Equatable, Sendable {
    /// Bytes of the file; empty where bytes are missing.
    package var input: Range<UInt64>
    /// Bytes of the content before it, as far as earlier losses are known.
    package var contentOffset: UInt64
    /// Bytes of content that are lost, as far as that is known.
    package var contentSize: UInt64
    /// Whether `contentSize` is certainly all that is lost.
    package var isExact: Bool
    /// Bytes of zeros written in their place.
    package var filled: UInt64
    /// Why it is lost.
    package var reason: String
}

/// Everything that a recovery could not get out of a file.
package struct LostContent: Equatable, Sendable {
    /// The most ranges that are kept; others are only counted.
    package static let mostRanges = 1 << 16

    /// The ranges in order; adjacent ones are joined.
    package internal(set) var ranges: [LostRange] = []
    /// The number of ranges, including those that are not kept.
    package internal(set) var count = 0
    /// Bytes of the file in all of them.
    package internal(set) var inputSize: UInt64 = 0
    /// Bytes of content in all of them, as far as that is known.
    package internal(set) var contentSize: UInt64 = 0
    /// Whether `contentSize` is certainly all that is lost.
    package internal(set) var isExact = true
    /// Bytes of zeros written in their place.
    package internal(set) var filled: UInt64 = 0
    /// Bytes of content that were recovered.
    package internal(set) var recovered: UInt64 = 0
    /// Whether the last frame was cut, so that no checksum proves the content recovered from it.
    package internal(set) var endsUnproved = false

    /// Places of the file that its parity has repaired.
    package internal(set) var repairs = 0
    /// Bytes of the file that its parity has restored.
    package internal(set) var repairedBytes: UInt64 = 0

    /// What the strict walk, which decides about `-t` and `-d` too, says against the file; nil if nothing.
    package internal(set) var complaint: String?

    /// Whether content is lost, or may be.
    package var isOfContent: Bool { contentSize > 0 || !isExact }
    /// Whether the file is not as `-t` and `-d` accept it, even if all of its content is recovered.
    package var isOfDamage: Bool { complaint != nil || count > 0 }

    /// Adds a range after the last one.
    mutating func append(_ range: LostRange) {
        inputSize += UInt64(range.input.count)
        contentSize = contentSize.addingClamped(range.contentSize)
        isExact = isExact && range.isExact
        filled = filled.addingClamped(range.filled)
        if let last = ranges.last, count == ranges.count, last.input.upperBound == range.input.lowerBound,
            last.contentOffset + last.contentSize == range.contentOffset
        {
            ranges[ranges.count - 1] = LostRange(
                input: last.input.lowerBound..<range.input.upperBound, contentOffset: last.contentOffset,
                contentSize: last.contentSize + range.contentSize, isExact: last.isExact && range.isExact,
                filled: last.filled + range.filled, reason: last.reason)
            return
        }
        count += 1
        if ranges.count < Self.mostRanges { ranges.append(range) }
    }
}

/// How much content a damaged range of the file held.
package struct LossSize: Equatable, Sendable {
    /// Bytes, as far as that is known.
    package var size: UInt64 = 0
    /// Whether `size` is certainly all of it.
    package var isExact = false
    /// Whether zeros may replace it. Nothing follows what the end of a cut file has lost, so there is no offset to
    /// keep.
    package var isFillable = true

    package static let nothing = exactly(0)
    /// An unknown amount, perhaps nothing.
    package static let unknown = LossSize()

    package static func exactly(_ size: UInt64) -> LossSize { LossSize(size: size, isExact: true) }
}
