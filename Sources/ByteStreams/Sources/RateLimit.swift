internal import Dispatch
internal import Synchronization

/// A limit on the bytes that one run, or several together, read per second. They are spread evenly over time.
public final class RateLimit: Sendable {
    /// How much lost time may be made up for, in seconds.
    private static let catchUp = 0.25
    /// The largest read, in seconds at the rate.
    private static let step = 0.05

    private struct State {
        /// Bytes per second.
        var rate: Double
        /// When the bytes so far are due at the rate: seconds of the monotonic clock.
        var due = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }

    private let state: Mutex<State>

    /// - Parameter bytesPerSecond: at least 1.
    public init(bytesPerSecond: Int) { state = Mutex(State(rate: Double(max(1, bytesPerSecond)))) }

    /// The rate from now on, at least 1; it may change during a run.
    public var bytesPerSecond: Int {
        get { state.withLock { Int(clamping: $0.rate) } }
        set { state.withLock { $0.rate = Double(max(1, newValue)) } }
    }

    /// The largest read, in bytes.
    var quantum: Int { Int(clamping: min(Double(1 << 20), max(1, state.withLock { $0.rate } * Self.step))) }

    /// The time at which the next `count` bytes may be read; nil if that is after the deadline.
    func reserve(_ count: Int, before deadline: DispatchTime) -> DispatchTime? {
        let now = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
        return state.withLock { state in
            let start = max(state.due, now - Self.catchUp)
            let time = DispatchTime(uptimeNanoseconds: UInt64(clamping: start * 1e9))
            guard time < deadline else { return nil }
            state.due = start + Double(count) / state.rate
            return time
        }
    }

    /// Returns reserved bytes that did not come.
    func giveBack(_ count: Int) { state.withLock { $0.due -= Double(count) / $0.rate } }
}
