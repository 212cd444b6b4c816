import Sluice
import Synchronization

/// The memory that the process keeps to, and why. It is looked up by the first run that needs it, once: a small file
/// takes less than the look.
final class MemoryBudget: Sendable {
    enum Reason {
        /// `-M` says so.
        case said
        /// A control group has no more: the kernel kills who takes it.
        case group
        /// The machine has no more without swapping.
        case machine
    }

    struct Limit: Sendable {
        /// Bytes.
        let bytes: UInt64
        let reason: Reason

        /// For a sentence, such as `64 MiB (-M)`.
        var words: String {
            let origin =
                switch reason {
                case .said: "-M"
                case .group: "left in the cgroup"
                case .machine: "left on the machine"
                }
            return "\(ByteCount.format(bytes)) (\(origin))"
        }
    }

    /// Whether `-M` says how much it is.
    let isSaid: Bool
    private let known: Mutex<Limit??>

    init(_ settings: Settings) {
        let said = settings.memoryLimit.map { Limit(bytes: $0, reason: .said) }
        isSaid = said != nil
        known = Mutex(said.map { $0 })
    }

    /// Nil if nobody knows how much there is.
    var limit: Limit? {
        known.withLock { known in
            if let known { return known }
            // The kernel takes some for what it does for us, and others begin meanwhile.
            let limit = AvailableMemory.now().map {
                Limit(bytes: $0.bytes - $0.bytes / 16, reason: $0.isLimit ? .group : .machine)
            }
            known = .some(limit)
            return limit
        }
    }

    /// Makes a run so small that it fits.
    ///
    /// With `-d`, `-M` is the limit of windows, as for zstd, which it accepts beside what the run holds; a limit that
    /// was chosen is not made smaller. What the input takes shows when it is there, and is mostly less than what it may
    /// take: a decompression goes on, as small as it gets, and refuses windows that do not fit.
    ///
    /// - Returns: what was done otherwise than it was asked for, if that can be seen in the output.
    /// - Throws: if it can't, and would be killed, or take more than was said.
    func fit(_ job: inout Job, inputSize: UInt64?, _ settings: Settings) throws(Complaint) -> String? {
        guard let limit else { return nil }
        let isDecompression = settings.verb.activity.content == .output
        let (before, countsWindows) = (job.frameSize, !settings.hasWindowLimit)
        let fits = job.fit(into: limit.bytes, inputSize: inputSize, countsWindows: countsWindows)
        if !fits, limit.reason != .machine, !isDecompression {
            let need = job.memory(inputSize: inputSize, countsWindows: countsWindows)
            throw Complaint(
                "it takes \(ByteCount.format(need)) of memory at least, and there are \(limit.words)",
                hint: need > 2 * UInt64(Job.baseMemory) ? "a lower level takes less" : nil)
        }
        guard let before, let after = job.frameSize, after < before else { return nil }
        let sizes = "\(ByteCount.format(UInt64(after))) instead of \(ByteCount.format(UInt64(before)))"
        return "frames of \(sizes), to keep to \(limit.words)"
    }

    /// Threads, of so many, that fit when each does small files as wholes.
    func lanes(of threads: Int, for action: Action) -> Int {
        guard let each = WholeFileWorker.memory(of: action), let bytes = limit?.bytes else { return threads }
        let room = bytes - min(bytes, UInt64(Job.baseMemory))
        return max(1, min(threads, Int(clamping: room / UInt64(max(1, each)))))
    }
}
