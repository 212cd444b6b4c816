/// What limited a run: a pure function of how long its stages were busy and waited, all in seconds.
struct Verdict: Equatable {
    enum Cause: String {
        case input, work, output, sync, rate, size
    }

    let cause: Cause
    let sentence: String

    /// - Parameters:
    ///   - work: all the workers' time with chunks that were there, added up.
    ///   - ownRead: their time with reading chunks for themselves: copies from the page cache, or a disk.
    ///   - read: the time in which Dispatch read.
    ///   - slot: the reader's time without a free slot: frames were not written, or not done, fast enough.
    ///   - action: compress, decompress, test or copy.
    init(
        elapsed: Double, workers: Int, chunks: UInt64, work: Double, ownRead: Double, read: Double, slot: Double,
        write: Double, sync: Double, hasRateLimit: Bool, action: String
    ) {
        guard chunks > 0 else {
            cause = .size
            sentence = "limited by its size: there was no data to work on"
            return
        }
        let noun =
            ["compress": "compression", "decompress": "decompression", "test": "decompression"][action] ?? "copying"
        let running = max(elapsed - sync, 1e-9)
        let available = Double(workers) * running
        let busy = workers > 0 ? (work + ownRead) / available : 0
        let percent = { (part: Double, whole: Double) in
            let share = part / max(whole, 1e-9)
            return "\(Int(((share.isFinite ? min(1, max(0, share)) : 0) * 100).rounded())) %"
        }
        let writing = write / running
        if sync > running {
            cause = .sync
            sentence = "limited by the disk: flushing the output took \(percent(sync, elapsed)) of the time"
        } else if busy >= 0.7, ownRead > work {
            cause = .input
            sentence = "limited by the input: workers read for \(percent(ownRead, available)) of the time"
        } else if busy >= 0.7, action != "copy" || busy >= writing {
            cause = .work
            let who =
                workers == 1 ? "the worker was" : workers == 2 ? "both workers were" : "all \(workers) workers were"
            sentence = "limited by \(noun): \(who) busy \(percent(busy, 1)) of the time"
        } else if slot > read, writing > 0.5 {
            cause = .output
            sentence = "limited by the output: writing took \(percent(write, running)) of the time"
        } else if chunks < 8, read < running / 2, writing < 0.5 {
            cause = .size
            sentence =
                "limited by its size: \(chunks) \(chunks == 1 ? "chunk" : "chunks") of data gave the workers little to share"
        } else if read + ownRead >= write {
            cause = hasRateLimit ? .rate : .input
            let what = hasRateLimit ? "--limit-rate" : "the input"
            sentence = "limited by \(what): workers waited \(percent(running - busy * running, running)) of the time"
        } else {
            cause = .output
            sentence = "limited by the output: writing took \(percent(write, running)) of the time"
        }
    }
}
