/// What a run did and what held it back, as numbers with their units in their names.
///
/// `schemaVersion` changes when a name or a meaning does; docs/statistics.schema.json describes it.
package struct Statistics: Encodable, Equatable, Sendable {
    /// What one stage of the run did, of all its threads together.
    package struct Stage: Encodable, Equatable, Sendable {
        /// Such as "read"; that of the workers is the verb of the activity.
        package var name: String
        /// Bytes that went through; decompressed ones for the workers.
        package var bytes: UInt64
        /// How often it did its work: reads, chunks, frames or writes.
        package var operations: UInt64
        /// Seconds in which the stage did its work; those of several workers are added up.
        package var busySeconds: Double
        /// Seconds in which the stage had nothing to do, or could not go on.
        package var waitingSeconds: Double
        /// `bytes` over `busySeconds`; 0 for nothing.
        package var bytesPerBusySecond: Double
        /// Seconds that half of the operations took at most.
        package var latencyP50Seconds: Double
        /// Seconds that 99 in 100 of the operations took at most.
        package var latencyP99Seconds: Double
        /// Seconds of the operation that took longest.
        package var latencyMaxSeconds: Double
    }

    /// How a run ended.
    package enum Ending: String, Encodable, Sendable {
        case success, failure, interrupted
    }

    /// Which names and meanings these are.
    package var schemaVersion = 3
    /// What was run.
    package var run: Run
    /// How it ended.
    package var outcome: Ending
    /// What failed first, or what interrupted the run, as a sentence; absent after a success.
    package var error: String?
    /// Files that were done.
    package var files: Int
    /// Files that were not done, or not whole.
    package var failedFiles: Int
    /// Seconds from the start to the end.
    package var elapsedSeconds: Double
    /// Bytes that were read.
    package var bytesIn: UInt64
    /// Bytes that were written, holes included.
    package var bytesOut: UInt64
    /// Decompressed bytes.
    package var contentBytes: UInt64
    /// Decompressed bytes, over the whole time.
    package var contentBytesPerSecond: Double
    /// Decompressed bytes over compressed bytes, of `bytesIn` and `bytesOut`, or of `contentBytes` where nothing is
    /// written; absent when nothing was compressed, and where these are not of the same content: of a run that did not
    /// come to its end more was read, or less written, and for a range whole frames are decoded.
    package var ratio: Double?
    /// Absent unless levels were chosen for each piece of the content.
    package var levels: LevelUse?
    /// Workers that there were.
    package var workers: Int
    /// The share of the time, apart from that of flushing the output, in which the workers had a chunk, to read it for
    /// themselves or to transform it: 0 to 1.
    package var workerUtilisation: Double
    /// Slots that there were: chunks that may have been on their way at once.
    package var slots: Int
    /// Over the whole time, that in which none was in use included.
    package var slotsInUseMean: Double
    /// The most that were in use at once.
    package var slotsInUseMax: Int
    /// In the order in which data goes through them.
    package var stages: [Stage]
    /// What the process used.
    package var process: ProcessUsage
    /// What the runs did that made the parts of what was joined; nil if that was not asked for.
    package var parts: Parts?
    /// input, work, output, sync, rate or size; absent if the run did not come to its end.
    package var limitedBy: String?
    /// One sentence that says so, or what ended the run.
    package var verdict: String
}

extension Statistics {
    /// What the caller knows and the recorder does not.
    package struct Outcome: Sendable {
        /// Which of the ways to end it was.
        package var ending: Ending
        /// What failed first, or what interrupted the run.
        package var error: String?
        /// Files that were done.
        package var files: Int
        /// Files that were not done, or not whole.
        package var failedFiles: Int

        /// - Parameters:
        ///   - error: what failed first, as a sentence.
        ///   - files: those that were done.
        ///   - failedFiles: those that were not.
        package init(_ ending: Ending, error: String? = nil, files: Int, failedFiles: Int) {
            self.ending = ending
            self.error = error
            self.files = files
            self.failedFiles = failedFiles
        }
    }

    /// The numbers of everything that was recorded until now.
    ///
    /// - Parameter sentence: the words for what limited the run.
    package init(
        _ recorder: Recorder, _ monitor: Monitor, _ run: Run, _ outcome: Outcome, sentence: (Verdict) -> String
    ) {
        self.run = run
        self.outcome = outcome.ending
        error = outcome.error
        files = outcome.files
        failedFiles = outcome.failedFiles
        let elapsed = recorder.elapsed
        let order = recorder.record(of: .order)
        elapsedSeconds = elapsed
        bytesIn = recorder.record(of: .read).bytes
        bytesOut = recorder.record(of: .write).bytes
        contentBytes = run.operation.content(input: order.source, output: order.bytes)
        contentBytesPerSecond = elapsed > 0 ? Double(contentBytes) / elapsed : 0
        let output = run.operation.hasOutput ? bytesOut : contentBytes
        if outcome.ending == .success, run.operation.content(input: bytesIn, output: output) == contentBytes {
            ratio = run.operation.ratio(input: Double(bytesIn), output: Double(output))
        }
        levels = monitor.levelUse
        workers = recorder.workers
        let slotUse = monitor.slotUse
        slots = monitor.slots.count
        slotsInUseMean = elapsed > 0 ? slotUse.seconds / elapsed : 0
        slotsInUseMax = slotUse.most
        stages = Self.stages(recorder, run.operation, elapsed: elapsed)
        process = ProcessUsage()
        let verdict = Verdict(
            recorder.times(elapsed: elapsed), hasRateLimit: run.rateLimitBytesPerSecond != nil,
            content: run.operation.content)
        workerUtilisation = verdict.utilisation
        if outcome.ending == .success { limitedBy = verdict.cause.name }
        self.verdict =
            switch outcome.ending {
            case .success: sentence(verdict)
            case .failure: "failed: \(outcome.error ?? "no reason is known")"
            case .interrupted: outcome.error ?? "interrupted"
            }
    }

    private static func stages(_ recorder: Recorder, _ activity: Activity, elapsed: Double) -> [Stage] {
        let (read, work, write) = (recorder.record(of: .read), recorder.record(of: .work), recorder.record(of: .write))
        let (slot, idle) = (recorder.record(of: .slot), recorder.record(of: .idle))
        let (order, sync) = (recorder.record(of: .order), recorder.record(of: .sync))
        return [
            Stage("read", read, busy: read.seconds, waiting: slot.seconds),
            Stage("slot", slot, busy: 0, waiting: slot.seconds),
            Stage(
                activity.name, work, bytes: activity.content(input: work.source, output: work.bytes),
                busy: work.seconds, waiting: idle.seconds),
            Stage("order", order, busy: 0, waiting: order.seconds),
            Stage("write", write, busy: write.seconds, waiting: max(0, elapsed - write.seconds)),
            Stage("sync", sync, busy: sync.seconds, waiting: 0),
        ]
    }
}

extension Recorder {
    /// How long what took until now, for a verdict.
    func times(elapsed: Double) -> Verdict.Times {
        let (read, work) = (record(of: .read), record(of: .work))
        return Verdict.Times(
            elapsed: elapsed, workers: workers, chunks: work.operations, work: work.seconds,
            ownRead: read.workersSeconds, read: read.seconds - read.workersSeconds,
            slot: record(of: .slot).seconds, write: record(of: .write).seconds, sync: record(of: .sync).seconds)
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
