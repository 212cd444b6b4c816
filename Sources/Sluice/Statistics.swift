/// What a run did and what held it back, as numbers with their units in their names.
///
/// `schemaVersion` changes when a name or a meaning does; docs/statistics.schema.json describes it.
public struct Statistics: Codable, Equatable, Sendable {
    public struct Stage: Codable, Equatable, Sendable {
        public var name: String
        /// Bytes that went through; decompressed ones for the workers.
        public var bytes: UInt64
        public var operations: UInt64
        /// Seconds in which the stage did its work; those of several workers are added up.
        public var busySeconds: Double
        /// Seconds in which the stage had nothing to do, or could not go on.
        public var waitingSeconds: Double
        public var bytesPerBusySecond: Double
        public var latencyP50Seconds: Double
        public var latencyP99Seconds: Double
        public var latencyMaxSeconds: Double
    }

    public var schemaVersion = 1
    /// compress, decompress, test or copy.
    public var mode: String
    /// success, failure or interrupted.
    public var outcome: String
    /// Files that were done, and files that failed.
    public var files: Int
    public var failedFiles: Int
    public var elapsedSeconds: Double
    public var bytesIn: UInt64
    public var bytesOut: UInt64
    /// Decompressed bytes.
    public var contentBytes: UInt64
    /// Decompressed bytes, over the whole time.
    public var contentBytesPerSecond: Double
    /// Decompressed bytes over compressed bytes; absent when nothing was compressed.
    public var ratio: Double?
    public var workers: Int
    /// The share of the time in which the workers had a chunk, apart from that of flushing the output: 0 to 1.
    public var workerUtilisation: Double
    public var slots: Int
    public var slotsInUseMean: Double
    public var slotsInUseMax: Int
    public var stages: [Stage]
    public var process: ProcessUsage
    /// input, work, output, sync, rate or size.
    public var limitedBy: String
    /// One sentence that says so.
    public var verdict: String
}

extension Statistics {
    /// What the caller knows and the recorder does not.
    public struct Outcome: Sendable {
        public var mode: String
        public var outcome: String
        public var files: Int
        public var failedFiles: Int
        public var hasRateLimit: Bool

        public init(mode: String, outcome: String, files: Int, failedFiles: Int, hasRateLimit: Bool) {
            self.mode = mode
            self.outcome = outcome
            self.files = files
            self.failedFiles = failedFiles
            self.hasRateLimit = hasRateLimit
        }
    }

    /// The numbers of everything that was recorded until now.
    public init(_ recorder: Recorder, _ monitor: Monitor, _ outcome: Outcome) {
        mode = outcome.mode
        self.outcome = outcome.outcome
        files = outcome.files
        failedFiles = outcome.failedFiles
        let elapsed = recorder.elapsed
        let (read, work, write) = (recorder.record(of: .read), recorder.record(of: .work), recorder.record(of: .write))
        let (slot, idle) = (recorder.record(of: .slot), recorder.record(of: .idle))
        let (order, sync) = (recorder.record(of: .order), recorder.record(of: .sync))
        elapsedSeconds = elapsed
        bytesIn = read.bytes
        bytesOut = write.bytes
        contentBytes = mode == "compress" || mode == "copy" ? order.source : order.bytes
        contentBytesPerSecond = elapsed > 0 ? Double(contentBytes) / elapsed : 0
        let (larger, smaller) = mode == "compress" ? (order.source, order.bytes) : (order.bytes, order.source)
        ratio = mode == "copy" || smaller == 0 || larger == 0 ? nil : Double(larger) / Double(smaller)
        workers = recorder.workers
        let available = (elapsed - sync.seconds) * Double(max(1, workers))
        workerUtilisation = available > 0 ? min(1, work.seconds / available) : 0
        slots = monitor.slots.count
        slotsInUseMean = monitor.slotUse.mean
        slotsInUseMax = monitor.slotUse.most
        stages = [
            Stage("read", read, busy: read.seconds, waiting: slot.seconds),
            Stage("slot", slot, busy: 0, waiting: slot.seconds),
            Stage(
                mode, work, bytes: mode == "compress" ? work.source : work.bytes, busy: work.seconds,
                waiting: idle.seconds),
            Stage("order", order, busy: 0, waiting: order.seconds),
            Stage("write", write, busy: write.seconds, waiting: max(0, elapsed - write.seconds)),
            Stage("sync", sync, busy: sync.seconds, waiting: 0),
        ]
        process = ProcessUsage()
        let verdict = Verdict(
            elapsed: elapsed, workers: workers, chunks: work.operations, work: work.seconds,
            ownRead: read.workersSeconds, read: read.seconds - read.workersSeconds, slot: slot.seconds,
            write: write.seconds, sync: sync.seconds,
            hasRateLimit: outcome.hasRateLimit, action: mode)
        limitedBy = verdict.cause.rawValue
        self.verdict = verdict.sentence
    }
}

extension Statistics.Stage {
    fileprivate init(_ name: String, _ record: StageRecord, bytes: UInt64? = nil, busy: Double, waiting: Double) {
        self.name = name
        self.bytes = bytes ?? record.bytes
        operations = record.operations
        busySeconds = busy
        waitingSeconds = waiting
        bytesPerBusySecond = busy > 0 ? Double(self.bytes) / busy : 0
        latencyP50Seconds = record.latency(percentile: 50)
        latencyP99Seconds = record.latency(percentile: 99)
        latencyMaxSeconds = record.longest
    }
}
