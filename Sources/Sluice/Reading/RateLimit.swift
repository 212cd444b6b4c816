internal import Dispatch
internal import Synchronization

/// Spreads bytes evenly over time: those of a run, or of several one after another.
public final class RateLimit: Sendable {
    /// What was not asked for in time may be caught up with, but no longer than this.
    private static let catchUp = 0.25
    /// The most that comes at once, in seconds of the rate.
    private static let step = 0.05

    /// Bytes per second.
    private let rate: Double
    /// When all that was read would have come at the rate: seconds of the monotonic clock.
    private let due = Mutex(Double(Span.now()) / 1e9)

    public init(bytesPerSecond: UInt64) {
        rate = Double(max(1, bytesPerSecond))
    }

    /// Bytes to ask for at once, at most.
    var quantum: Int { Int(min(Double(1 << 20), max(1, rate * Self.step))) }

    /// When the next `count` bytes may be asked for: when those before them are due; nil if that is after the deadline.
    func reserve(_ count: Int, before deadline: DispatchTime) -> DispatchTime? {
        let now = Double(Span.now()) / 1e9
        return due.withLock { due in
            let start = max(due, now - Self.catchUp)
            let time = DispatchTime(uptimeNanoseconds: UInt64(start * 1e9))
            guard time < deadline else { return nil }
            due = start + Double(count) / rate
            return time
        }
    }

    /// So many of the bytes that were asked for did not come.
    func giveBack(_ count: Int) {
        due.withLock { $0 -= Double(count) / rate }
    }
}
