internal import Dispatch
internal import Synchronization

/// Spreads bytes evenly over time: those of a run, or of several one after another.
public final class RateLimit: Sendable {
    /// What was not asked for in time may be caught up with, but no longer than this.
    private static let catchUp = 0.25
    /// The most that comes at once, in seconds of the rate.
    private static let step = 0.05

    private struct State {
        /// Bytes per second.
        var rate: Double
        /// When all that was read would have come at the rate: seconds of the monotonic clock.
        var due = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }

    private let state: Mutex<State>

    /// - Parameter bytesPerSecond: more than 0.
    public init(bytesPerSecond: UInt64) {
        state = Mutex(State(rate: Double(max(1, bytesPerSecond))))
    }

    /// How fast, from now on; at least 1.
    public var bytesPerSecond: UInt64 {
        get { state.withLock { UInt64($0.rate) } }
        set { state.withLock { $0.rate = Double(max(1, newValue)) } }
    }

    /// Bytes to ask for at once, at most.
    var quantum: Int { Int(min(Double(1 << 20), max(1, state.withLock { $0.rate } * Self.step))) }

    /// When the next `count` bytes may be asked for: when those before them are due; nil if that is after the deadline.
    func reserve(_ count: Int, before deadline: DispatchTime) -> DispatchTime? {
        let now = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
        return state.withLock { state in
            let start = max(state.due, now - Self.catchUp)
            let time = DispatchTime(uptimeNanoseconds: UInt64(start * 1e9))
            guard time < deadline else { return nil }
            state.due = start + Double(count) / state.rate
            return time
        }
    }

    /// So many of the bytes that were asked for did not come.
    func giveBack(_ count: Int) {
        state.withLock { $0.due -= Double(count) / $0.rate }
    }
}
