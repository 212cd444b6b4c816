package import Dispatch

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

    /// Waits until some of `count` bytes may be read.
    ///
    /// - Returns: how many; nil at the deadline and after `endWaiting`.
    package func allow(_ count: Int, until deadline: DispatchTime? = nil) -> Int? {
        let count = min(count, limit.quantum)
        guard let time = limit.reserve(count, before: deadline ?? .distantFuture) else {
            _ = alarm.sleep(until: deadline ?? .distantFuture)
            return nil
        }
        guard alarm.sleep(until: time) else {
            // Other runs may share the limit, and would wait for bytes that are never read.
            limit.giveBack(count)
            return nil
        }
        return count
    }

    package func seek(to offset: UInt64) -> Bool { base.seek(to: offset) }

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
