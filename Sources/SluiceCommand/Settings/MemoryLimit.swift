import SluiceEngine
import Synchronization

/// The memory limit of the process and its reason. It is determined once, when a run first needs it, because looking it
/// up takes longer than a small file.
final class MemoryLimit: Sendable {
    enum Reason {
        /// `-M` sets it.
        case said
        /// A control group has no more available: the kernel kills processes that exceed it.
        case group
        /// The machine has no more available without swapping.
        case machine
    }

    struct Value: Sendable {
        /// Bytes for jobs.
        let bytes: UInt64
        /// The same with what is kept for something else.
        let total: UInt64
        let reason: Reason

        init(bytes: UInt64, of total: UInt64? = nil, reason: Reason) {
            (self.bytes, self.total, self.reason) = (bytes, total ?? bytes, reason)
        }

        /// As part of a sentence, such as `-M allows 64 MiB`.
        var words: String {
            switch reason {
            case .said: "-M allows \(ByteCount.format(total))"
            case .group: "\(ByteCount.format(total)) available in the cgroup"
            case .machine: "\(ByteCount.format(total)) available"
            }
        }
    }

    private enum Known {
        case unasked
        /// Nil if the available memory is unknown.
        case value(Value?)
    }

    private let known: Mutex<Known>
    private let others = Mutex<UInt64>(0)

    /// - Parameter said: bytes; nil for what is available.
    init(_ said: UInt64?) { known = Mutex(said.map { .value(Value(bytes: $0, reason: .said)) } ?? .unasked) }

    /// Bytes that something else takes.
    var reserved: UInt64 { others.withLock { $0 } }

    /// Keeps bytes for something else than jobs.
    func reserve(_ bytes: UInt64) { others.withLock { $0 = bytes } }

    /// What is left for jobs; nil if the available memory is unknown.
    var limit: Value? {
        all.map { Value(bytes: $0.bytes - min($0.bytes, reserved), of: $0.bytes, reason: $0.reason) }
    }

    private var all: Value? {
        known.withLock { known in
            if case .value(let value) = known { return value }
            // Leave a margin for the kernel's buffers and for other processes.
            let value = AvailableMemory.now().map {
                Value(bytes: $0.bytes - $0.bytes / 16, reason: $0.isLimit ? .group : .machine)
            }
            known = .value(value)
            return value
        }
    }

    /// Reduces a job to fit the limit.
    ///
    /// With `-d`, `-M` limits windows, as in zstd. Windows within a chosen limit don't count as memory of the job, and
    /// the limit is not reduced. What a decompression needs shows only as its input arrives, and is mostly less than
    /// possible: so the job always runs, as small as it can be, and refuses windows that don't fit. If no limit was
    /// chosen, one frame at a time may have a window of a quarter of the memory.
    ///
    /// - Returns: what was changed, if it affects the output.
    /// - Throws: if the job can't fit, and would be killed or exceed `-M`.
    func fit(
        _ job: inout Job, of name: FilePath, inputSize: UInt64?, isDecompression: Bool, countsWindows: Bool
    ) throws(Complaint) -> String? {
        guard let limit else { return nil }
        let whole = job
        let fits = job.fit(into: limit.bytes, inputSize: inputSize, countsWindows: countsWindows)
        if isDecompression, countsWindows {
            job.accept(singleWindow: min(limit.bytes / 4, DecodingLimits.largestWindow) & ~0xFFFFF)
        }
        if !fits, limit.reason != .machine, !isDecompression {
            let need = job.memory(inputSize: inputSize, countsWindows: countsWindows)
            let least = ByteCount.format(need + reserved)
            throw Complaint(
                name,
                "needs at least \(least) of memory, but \(limit.reason == .said ? "" : "has only ")\(limit.words)",
                hint: need > 2 * UInt64(Job.baseMemory) ? "a lower level needs less" : nil)
        }
        // The slot size is compared first, because it is found without a cast.
        guard job.slotSize < whole.slotSize, let before = whole.frameSize, let after = job.frameSize, after < before
        else { return nil }
        let sizes = "\(ByteCount.format(after)) instead of \(ByteCount.format(before))"
        return "frames of \(sizes), to fit the memory: \(limit.words)"
    }

    /// The number of threads, at most `threads`, that fit when each processes small files as a whole.
    func lanes(of threads: Int, for operation: any WholeFileOperation) -> Int {
        guard let bytes = limit?.bytes else { return threads }
        let room = bytes - min(bytes, UInt64(Job.baseMemory))
        return max(1, min(threads, Int(clamping: room / UInt64(max(1, operation.wholeFileMemory)))))
    }
}
