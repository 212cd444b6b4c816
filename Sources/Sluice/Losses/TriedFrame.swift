/// A frame of a damaged file, which a worker tries to decode.
struct TriedFrame {
    /// Its bytes in the file.
    let input: Range<UInt64>
    /// The most bytes that it decompresses to.
    let bound: UInt64
    /// What is lost if it can't be decoded.
    let claim: Claim
}

/// How much content a damaged range of the file has.
struct Claim {
    /// Bytes, as far as that is known.
    var size: UInt64 = 0
    /// Whether there is certainly no more.
    var isExact = false
    /// Whether zeros may stand in its place: not after the end of a file that was cut.
    var isInside = true

    static let nothing = exactly(0)

    static func exactly(_ size: UInt64) -> Claim { Claim(size: size, isExact: true) }
}
