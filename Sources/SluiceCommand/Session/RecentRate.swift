/// The current rate, from the changes of the last seconds. All times are seconds since the start.
struct RecentRate {
    /// Seconds that the rate covers.
    private static let window = 2.0

    /// When the content changed, and its size in bytes then.
    private var changes: [(time: Double, content: UInt64)] = [(0, 0)]

    /// Records a change. Keeps the changes within the window and the one before, but at least three, because large
    /// frames come seldom.
    mutating func note(_ content: UInt64, at now: Double) {
        if changes.last?.content != content { changes.append((now, content)) }
        while changes.count > 3, changes[1].time < now - Self.window { changes.removeFirst() }
    }

    /// Bytes per second.
    func rate(at now: Double) -> Double {
        guard let first = changes.first, let last = changes.last, now > first.time else { return 0 }
        return Double(last.content - min(last.content, first.content)) / (now - first.time)
    }
}
