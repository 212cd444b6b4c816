/// What limited the speed of a run, derived from how long its stages were busy and waited.
package struct Verdict: Equatable, Sendable {
    /// The bottleneck of a run. A share is that of the time, 0 to 1.
    package enum Cause: Equatable, Sendable {
        /// The input had no data.
        case nothingToDo
        /// There were too few chunks to keep the workers busy.
        case size(chunks: UInt64)
        /// Flushing the output to the disk took this share.
        case sync(share: Double)
        /// Giving the output its name took this share.
        case name(share: Double)
        /// Workers read the input themselves for this share.
        case reading(share: Double)
        /// Workers waited for the input for this share.
        case input(share: Double)
        /// Workers waited for the rate limit for this share.
        case rate(share: Double)
        /// The workers were busy.
        case work(workers: Int)
        /// Other processes had the processors for this share of the workers' time.
        case processors(share: Double)
        /// Writing the output took this share.
        case output(share: Double)

        /// One word for programs: input, work, processors, output, sync, name, rate or size.
        package var name: String {
            switch self {
            case .nothingToDo, .size: "size"
            case .sync: "sync"
            case .name: "name"
            case .reading, .input: "input"
            case .rate: "rate"
            case .work: "work"
            case .processors: "processors"
            case .output: "output"
            }
        }
    }

    /// How long each stage took, in seconds.
    struct Times {
        var elapsed = 0.0
        var workers = 0
        var chunks: UInt64 = 0
        /// The time in which workers transformed chunks, summed.
        var work = 0.0
        /// The time in which workers read chunks themselves, summed.
        var ownRead = 0.0
        /// The time in which Dispatch read.
        var read = 0.0
        /// The time in which the reader had no free slot, because frames were not made or written fast enough.
        var slot = 0.0
        var write = 0.0
        var sync = 0.0
        /// The time in which files that are not flushed got their names.
        var name = 0.0

        /// The time without that of flushing and naming.
        var running: Double { max(elapsed - sync - name, 1e-9) }
        /// The time in which a worker had a frame that others helped with, including its waiting for them.
        var frame = 0.0
        /// The processor time of the whole process; nil if unknown.
        var processor: Double?
        /// The processors that the process may use.
        var processors = Double.infinity
        /// The time that all workers had, summed.
        var available: Double { Double(workers) * running }

        /// The share of the workers' time, as far as there are processors for it, in which others had these: 0 to 1. A
        /// frame whose worker waits for those that help with it says nothing about that.
        var lack: Double {
            guard let processor, frame == 0 else { return 0 }
            return 1 - Verdict.share(processor, of: min(work, processors * running))
        }
    }

    /// The lack of processors that is called a bottleneck.
    private static let mostLack = 0.3

    package let cause: Cause
    /// The share of the time, without that of flushing and naming, in which workers read or transformed a chunk: 0 to
    /// 1. Every report of how busy workers were uses this number.
    package let utilisation: Double

    init(_ times: Times, hasRateLimit: Bool, content: Activity.Content) {
        utilisation = Self.share(times.work + times.ownRead, of: times.available)
        cause = Self.cause(times, busy: utilisation, hasRateLimit, content)
    }

    /// The first rule that holds (docs/decisions/statistics.md).
    private static func cause(
        _ times: Times, busy: Double, _ hasRateLimit: Bool, _ content: Activity.Content
    ) -> Cause {
        if times.chunks == 0 { return .nothingToDo }
        let running = times.running
        let writing = times.write / running
        let output = Cause.output(share: share(times.write, of: running))
        if times.sync > running { return .sync(share: share(times.sync, of: times.elapsed)) }
        if times.name > running { return .name(share: share(times.name, of: times.elapsed)) }
        if busy >= 0.7, times.ownRead > times.work { return .reading(share: share(times.ownRead, of: times.available)) }
        if busy >= 0.7, content != .both || busy >= writing {
            return times.lack >= mostLack ? .processors(share: times.lack) : .work(workers: times.workers)
        }
        // The blocks of one frame are executed in order, by one worker.
        if times.frame / running >= 0.7, times.frame >= times.write { return .work(workers: times.workers) }
        if times.slot > times.read, writing > 0.5 { return output }
        if times.chunks < 8, times.read < running / 2, writing < 0.5 { return .size(chunks: times.chunks) }
        guard times.read + times.ownRead >= times.write else { return output }
        return hasRateLimit ? .rate(share: 1 - busy) : .input(share: 1 - busy)
    }

    /// 0 to 1, even for nonsensical numbers.
    private static func share(_ part: Double, of whole: Double) -> Double {
        let share = part / max(whole, 1e-9)
        return share.isFinite ? min(1, max(0, share)) : 0
    }
}

extension Verdict.Times {
    /// - Parameter elapsed: seconds since the run began.
    init(_ recorder: Recorder, elapsed: Double) {
        let (read, work) = (recorder.record(of: .read), recorder.record(of: .work))
        let blocks = recorder.record(of: .blocks)
        self.init(
            elapsed: elapsed, workers: recorder.workers, chunks: work.operations,
            work: work.seconds + blocks.workersSeconds, ownRead: read.workersSeconds,
            read: read.seconds - read.workersSeconds, slot: recorder.record(of: .slot).seconds,
            write: recorder.record(of: .write).seconds, sync: recorder.record(of: .sync).seconds,
            name: recorder.record(of: .name).seconds, frame: blocks.operations > 0 ? work.seconds : 0,
            processor: recorder.processorTime, processors: countedProcessorTime)
    }
}
