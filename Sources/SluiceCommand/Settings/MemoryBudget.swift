import Sluice

/// The memory that the process keeps to, and why.
struct MemoryBudget: Sendable {
    enum Reason {
        /// `-M` says so.
        case said
        /// A control group has no more: the kernel kills who takes it.
        case group
        /// The machine has no more without swapping.
        case machine
    }

    /// Bytes.
    let bytes: UInt64
    let reason: Reason

    /// - Returns: nil if nobody knows how much there is.
    init?(_ settings: Settings) {
        if let limit = settings.limits.memory {
            (bytes, reason) = (limit, .said)
        } else if let available = AvailableMemory.now() {
            // The kernel takes some for what it does for us, and others begin meanwhile.
            (bytes, reason) = (available.bytes - available.bytes / 16, available.isLimit ? .group : .machine)
        } else {
            return nil
        }
    }

    /// For a sentence, such as `-M allows 64 MiB`.
    var words: String {
        switch reason {
        case .said: "-M allows \(ByteCount.format(bytes))"
        case .group: "\(ByteCount.format(bytes)) available in the cgroup"
        case .machine: "\(ByteCount.format(bytes)) available"
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
        let isDecompression = settings.command.activity.content == .output
        let (before, countsWindows) = (job.frameSize, !settings.decoding.hasWindowLimit)
        let fits = job.fit(into: bytes, inputSize: inputSize, countsWindows: countsWindows)
        if !fits, reason != .machine, !isDecompression {
            let need = job.memory(inputSize: inputSize, countsWindows: countsWindows)
            throw Complaint(
                "needs at least \(ByteCount.format(need)) of memory, but \(reason == .said ? "" : "has only ")\(words)",
                hint: need > 2 * UInt64(Job.baseMemory) ? "a lower level needs less" : nil)
        }
        guard let before, let after = job.frameSize, after < before else { return nil }
        let sizes = "\(ByteCount.format(UInt64(after))) instead of \(ByteCount.format(UInt64(before)))"
        return "frames of \(sizes), to fit the memory: \(words)"
    }

    /// Threads, of so many, that fit when each does small files as wholes.
    func lanes(of threads: Int, for action: Action) -> Int {
        guard let each = WholeFileWorker.memory(of: action) else { return threads }
        let room = bytes - min(bytes, UInt64(Job.baseMemory))
        return max(1, min(threads, Int(clamping: room / UInt64(max(1, each)))))
    }
}
