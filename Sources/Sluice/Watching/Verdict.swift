/// What limited a run: a pure function of how long its stages were busy and waited, all in seconds.
struct Verdict: Equatable {
    enum Cause: String {
        case input, work, output, sync, rate, size
    }

    let cause: Cause
    let sentence: String
    /// The share of the time, but for that of flushing, in which workers had a chunk, to read it for themselves or to
    /// transform it: 0 to 1. Everything that says how busy workers were says this.
    let utilisation: Double

    /// - Parameters:
    ///   - work: all the workers' time with chunks that were there, added up.
    ///   - ownRead: their time with reading chunks for themselves: copies from the page cache, or a disk.
    ///   - read: the time in which Dispatch read.
    ///   - slot: the reader's time without a free slot: frames were not written, or not done, fast enough.
    init(
        elapsed: Double, workers: Int, chunks: UInt64, work: Double, ownRead: Double, read: Double, slot: Double,
        write: Double, sync: Double, hasRateLimit: Bool, operation: Statistics.Operation
    ) {
        let running = max(elapsed - sync, 1e-9)
        let available = Double(workers) * running
        let busy = Self.share(work + ownRead, of: available)
        utilisation = busy
        guard chunks > 0 else {
            cause = .size
            sentence = "limited by its size: there was no data to work on"
            return
        }
        let percent = { (part: Double, whole: Double) in "\(Int((Self.share(part, of: whole) * 100).rounded())) %" }
        let writing = write / running
        if sync > running {
            cause = .sync
            sentence = "limited by the disk: flushing the output took \(percent(sync, elapsed)) of the time"
        } else if busy >= 0.7, ownRead > work {
            cause = .input
            sentence = "limited by the input: workers read for \(percent(ownRead, available)) of the time"
        } else if busy >= 0.7, operation.content != .both || busy >= writing {
            cause = .work
            let who =
                workers == 1 ? "the worker was" : workers == 2 ? "both workers were" : "all \(workers) workers were"
            sentence = "limited by \(operation.noun): \(who) busy \(percent(busy, 1)) of the time"
        } else if slot > read, writing > 0.5 {
            cause = .output
            sentence = "limited by the output: writing took \(percent(write, running)) of the time"
        } else if chunks < 8, read < running / 2, writing < 0.5 {
            cause = .size
            sentence =
                "limited by its size: \(chunks) \(chunks == 1 ? "chunk" : "chunks") of data gave the workers little to share"
        } else if read + ownRead >= write {
            cause = hasRateLimit ? .rate : .input
            let what = hasRateLimit ? Self.limit(operation) : "the input"
            sentence = "limited by \(what): workers waited \(percent(1 - busy, 1)) of the time"
        } else {
            cause = .output
            sentence = "limited by the output: writing took \(percent(write, running)) of the time"
        }
    }

    /// The rate limit, and which of two sides it counts.
    private static func limit(_ operation: Statistics.Operation) -> String {
        operation.content == .output ? "--limit-rate, which counts compressed bytes" : "--limit-rate"
    }

    /// 0 to 1, whatever the numbers.
    private static func share(_ part: Double, of whole: Double) -> Double {
        let share = part / max(whole, 1e-9)
        return share.isFinite ? min(1, max(0, share)) : 0
    }
}
