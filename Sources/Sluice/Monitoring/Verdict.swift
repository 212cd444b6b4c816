/// What limited a run: a pure function of how long its stages were busy and waited.
///
/// It says what happened; the words for it are those of who tells it.
package struct Verdict: Equatable, Sendable {
    /// What held a run back. A share is one of the time, 0 to 1.
    package enum Cause: Equatable, Sendable {
        /// The input had no data.
        case nothingToDo
        /// So few chunks that there was little to share among the workers.
        case size(chunks: UInt64)
        /// The disk, to which the output was flushed for this share.
        case sync(share: Double)
        /// The input, which workers read for themselves for this share.
        case reading(share: Double)
        /// The input, which workers waited for this share.
        case input(share: Double)
        /// The rate that was asked for, which workers waited for this share.
        case rate(share: Double)
        /// So many workers, which were busy.
        case work(workers: Int)
        /// The output, which was written for this share.
        case output(share: Double)

        /// One word for programs: input, work, output, sync, rate or size.
        package var name: String {
            switch self {
            case .nothingToDo, .size: "size"
            case .sync: "sync"
            case .reading, .input: "input"
            case .rate: "rate"
            case .work: "work"
            case .output: "output"
            }
        }
    }

    /// How long what took, in seconds.
    struct Times {
        var elapsed: Double
        var workers: Int
        var chunks: UInt64
        /// All the workers' time with chunks that were there, added up.
        var work: Double
        /// Their time with reading chunks for themselves: copies from the page cache, or a disk.
        var ownRead: Double
        /// The time in which Dispatch read.
        var read: Double
        /// The reader's time without a free slot: frames were not written, or not done, fast enough.
        var slot: Double
        var write: Double
        var sync: Double

        /// The time but for that of flushing.
        var running: Double { max(elapsed - sync, 1e-9) }
        /// The workers' time, added up.
        var available: Double { Double(workers) * running }
    }

    /// What held the run back most.
    package let cause: Cause
    /// The share of the time, but for that of flushing, in which workers had a chunk, to read it for themselves or to
    /// transform it: 0 to 1. Everything that says how busy workers were says this.
    package let utilisation: Double

    init(_ times: Times, hasRateLimit: Bool, content: Statistics.Activity.Content) {
        utilisation = Self.share(times.work + times.ownRead, of: times.available)
        cause = Self.cause(times, busy: utilisation, hasRateLimit, content)
    }

    /// The first rule that holds (docs/decisions/statistics.md).
    private static func cause(
        _ times: Times, busy: Double, _ hasRateLimit: Bool, _ content: Statistics.Activity.Content
    ) -> Cause {
        if times.chunks == 0 { return .nothingToDo }
        let running = times.running
        let writing = times.write / running
        let output = Cause.output(share: share(times.write, of: running))
        if times.sync > running { return .sync(share: share(times.sync, of: times.elapsed)) }
        if busy >= 0.7, times.ownRead > times.work { return .reading(share: share(times.ownRead, of: times.available)) }
        if busy >= 0.7, content != .both || busy >= writing { return .work(workers: times.workers) }
        if times.slot > times.read, writing > 0.5 { return output }
        if times.chunks < 8, times.read < running / 2, writing < 0.5 { return .size(chunks: times.chunks) }
        guard times.read + times.ownRead >= times.write else { return output }
        return hasRateLimit ? .rate(share: 1 - busy) : .input(share: 1 - busy)
    }

    /// 0 to 1, whatever the numbers.
    private static func share(_ part: Double, of whole: Double) -> Double {
        let share = part / max(whole, 1e-9)
        return share.isFinite ? min(1, max(0, share)) : 0
    }
}
