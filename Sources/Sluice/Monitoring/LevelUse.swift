/// The levels at which content was compressed, when each piece had its own.
package struct LevelUse: Encodable, Equatable, Sendable {
    private enum CodingKeys: CodingKey {
        case lowest, highest, mean
    }

    /// The least level of any piece.
    package let lowest: Int
    /// The greatest.
    package let highest: Int
    /// By bytes of the content.
    package let mean: Double
    /// That of the piece that was done last.
    package let latest: Int
    /// Bytes of the content.
    private let bytes: UInt64

    /// What there was before, if anything, and so many bytes more.
    init(_ before: LevelUse?, adding count: Int, at level: Int) {
        lowest = min(level, before?.lowest ?? level)
        highest = max(level, before?.highest ?? level)
        latest = level
        bytes = (before?.bytes ?? 0) + UInt64(count)
        let earlier = before?.mean ?? Double(level)
        mean = bytes > 0 ? earlier + (Double(level) - earlier) * Double(count) / Double(bytes) : earlier
    }
}
