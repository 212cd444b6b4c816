import CAllocations
import Glibc

/// Calls that are measured.
enum Call {
    /// The thread's processor time, and what was allocated.
    struct Cost {
        var nanoseconds = 0
        var allocations = 0
        var bytes = 0

        static func now() -> Cost {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Cost(
                nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec, allocations: Int(allocationCount()),
                bytes: Int(allocatedBytes()))
        }

        static func += (sum: inout Cost, cost: Cost) {
            sum.nanoseconds += cost.nanoseconds
            sum.allocations += cost.allocations
            sum.bytes += cost.bytes
        }
    }

    static func measure(_ body: () throws -> Void) rethrows -> Cost {
        let start = Cost.now()
        try body()
        let end = Cost.now()
        return Cost(
            nanoseconds: end.nanoseconds - start.nanoseconds, allocations: end.allocations - start.allocations,
            bytes: end.bytes - start.bytes)
    }
}
