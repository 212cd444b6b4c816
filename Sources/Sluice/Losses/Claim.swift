/// How much content something has that can't be decoded.
struct Claim {
    /// Bytes, as far as that is known.
    var size: UInt64 = 0
    /// Whether it is known that there is no more.
    var isExact = false
    /// Whether zeros may stand in its place: not behind the end of a file that was cut.
    var isInside = true

    static let nothing = Claim(size: 0, isExact: true)
}
