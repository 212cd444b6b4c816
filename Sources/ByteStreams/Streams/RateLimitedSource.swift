package import Dispatch
internal import Synchronization

/// Spreads the bytes of another source evenly over time.
package final class RateLimitedSource: ByteSource {
    private let base: any ByteSource
    private let limit: RateLimit
    private let alarm = Alarm()

    package init(_ base: any ByteSource, _ limit: RateLimit) { (self.base, self.limit) = (base, limit) }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        guard let allowed = allow(count, until: deadline) else { return Bytes() }
        var arrived = 0
        defer { if arrived < allowed { limit.giveBack(allowed - arrived) } }
        let bytes = try base.read(allowed, until: deadline)
        arrived = bytes?.count ?? 0
        return bytes
    }

    /// Waits until some of the next `count` bytes may be read.
    ///
    /// - Returns: how many may be read; nil at the deadline and after `endWaiting`.
    package func allow(_ count: Int, until deadline: DispatchTime? = nil) -> Int? {
        let count = min(count, limit.quantum)
        guard let time = limit.reserve(count, before: deadline ?? .distantFuture) else {
            _ = alarm.sleep(until: deadline ?? .distantFuture)
            return nil
        }
        guard alarm.sleep(until: time) else {
            // Other runs may share the limit. They would wait for bytes that are never read.
            limit.giveBack(count)
            return nil
        }
        return count
    }

    package func seek(to offset: UInt64) -> Bool { base.seek(to: offset) }
    package func expect(_ ranges: @escaping @Sendable () -> Range<UInt64>?) { base.expect(ranges) }

    package func endWaiting() {
        alarm.cancel()
        base.endWaiting()
    }

    package func cancel() {
        alarm.cancel()
        base.cancel()
    }

    package func finish() { base.finish() }
}

/// A limit on the bytes per second that one run reads, or several together, spread evenly over time.
///
///     let limit = RateLimit(bytesPerSecond: 10 << 20)
///     async let first = Compression().run(
///         from: .file("a"), to: .file("a.zst"), options: RunOptions(rateLimit: limit))
///     async let second = Compression().run(
///         from: .file("b"), to: .file("b.zst"), options: RunOptions(rateLimit: limit))
///     _ = try await (first, second)
public final class RateLimit: Sendable {
    /// How many seconds of lost time may be made up for.
    private static let catchUp = 0.25
    /// The largest read, as seconds at the rate.
    private static let step = 0.05

    private struct State {
        /// Bytes per second.
        var rate: Double
        /// When all bytes so far are due at the rate, in seconds of the monotonic clock.
        var due = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }

    private let state: Mutex<State>

    /// - Parameter bytesPerSecond: at least 1.
    public init(bytesPerSecond: Int) { state = Mutex(State(rate: Double(max(1, bytesPerSecond)))) }

    /// The rate from now on, at least 1. It may be changed during a run.
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

    /// Returns reserved bytes that were not read.
    func giveBack(_ count: Int) { state.withLock { $0.due -= Double(count) / $0.rate } }
}
