internal import Dispatch
internal import Synchronization

/// Spreads bytes evenly over time.
final class RateLimit: Sendable {
    /// What was not asked for in time may be caught up with, but no longer than this.
    private static let catchUp = 0.25
    /// The most that comes at once, in seconds of the rate.
    private static let step = 0.05

    /// Bytes per second.
    private let rate: Double
    private let due = Mutex(0.0)

    init(bytesPerSecond: UInt64) {
        rate = Double(max(1, bytesPerSecond))
    }

    /// Bytes to ask for at once, at most.
    var quantum: Int { Int(min(Double(1 << 20), max(1, rate * Self.step))) }

    /// When the next `count` bytes may be asked for; nil if that is after the deadline.
    func reserve(_ count: Int, before deadline: DispatchTime) -> DispatchTime? {
        let now = Double(Span.now()) / 1e9
        return due.withLock { due in
            let next = max(due, now - Self.catchUp) + Double(count) / rate
            let time = DispatchTime(uptimeNanoseconds: UInt64(next * 1e9))
            guard time < deadline else { return nil }
            due = next
            return time
        }
    }
}
