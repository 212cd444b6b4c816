/// The levels at which content was compressed, when each chunk had its own.
package struct LevelUse: Equatable, Sendable {
    package let lowest: Int
    package let highest: Int
    /// Weighted by bytes of content.
    package let mean: Double
    /// The level of the last chunk.
    package let latest: Int
    /// Bytes of content.
    private let bytes: UInt64

    package init(_ before: LevelUse?, adding count: Int, at level: Int) {
        lowest = min(level, before?.lowest ?? level)
        highest = max(level, before?.highest ?? level)
        latest = level
        bytes = (before?.bytes ?? 0) + UInt64(count)
        let earlier = before?.mean ?? Double(level)
        mean = bytes > 0 ? earlier + (Double(level) - earlier) * Double(count) / Double(bytes) : earlier
    }
}

/// What statistics show.
extension LevelUse: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: ["lowest": lowest, "highest": highest, "mean": mean]) }
}
