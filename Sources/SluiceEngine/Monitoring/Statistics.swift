/// The numbers of a run, with their units in their names, and what limited its speed.
package struct Statistics: Equatable, Sendable {
    /// The work of one stage, summed over all its threads.
    package struct Stage: Equatable, Sendable {
        /// Such as "read"; the workers' stage is named after the activity.
        package var name: String
        /// Bytes that went through; decompressed ones for the workers.
        package var bytes: UInt64
        /// How many reads, chunks, frames or writes there were.
        package var operations: UInt64
        package var busySeconds: Double
        /// Seconds in which the stage had nothing to do, or could not go on.
        package var waitingSeconds: Double
        package var bytesPerBusySecond: Double
        package var latencyP50Seconds: Double
        package var latencyP99Seconds: Double
        package var latencyMaxSeconds: Double
    }

    /// How a run ended.
    package enum Ending: String, Sendable {
        case success, failure, interrupted
    }

    package var outcome: Ending
    /// The first failure or the interruption, as a sentence; absent after a success.
    package var error: String?
    /// Files that are complete.
    package var files: Int
    /// Files that are not complete.
    package var failedFiles: Int
    package var elapsedSeconds: Double
    package var bytesIn: UInt64
    /// Bytes that were written, holes included.
    package var bytesOut: UInt64
    /// Decompressed bytes.
    package var contentBytes: UInt64
    package var contentBytesPerSecond: Double
    /// Decompressed bytes over compressed bytes, of `bytesIn` and `bytesOut`, or of `contentBytes` where nothing is
    /// written. Absent when nothing was compressed, and when the sizes are not of the same content: an unfinished run
    /// has read more or written less, and for a range whole frames are decoded.
    package var ratio: Double?
    /// Absent unless each chunk had its own level.
    package var levels: LevelUse?
    package var workers: Int
    /// The share of the time, without that of flushing and naming the output, in which the workers read or transformed
    /// a chunk: 0 to 1.
    package var workerUtilisation: Double
    /// The most chunks that could be in flight at once.
    package var slots: Int
    package var slotsInUseMean: Double
    package var slotsInUseMax: Int
    /// In the order in which data goes through them.
    package var stages: [Stage]
    package var process: ProcessUsage
    /// The command whose output was the input, once it has exited.
    package var command: Command?
    /// input, work, processors, output, sync, name, rate or size; absent if the run did not succeed.
    package var limitedBy: String?
    /// The bottleneck as a sentence, or what ended the run.
    package var verdict: String
}

extension Statistics {
    /// The end of a run, which the caller knows and the recorder does not.
    package struct Outcome: Sendable {
        package var ending: Ending
        /// The first failure or the interruption, as a sentence.
        package var error: String?
        /// Files that are complete.
        package var files: Int
        package var failedFiles: Int

        package init(_ ending: Ending, error: String? = nil, files: Int, failedFiles: Int) {
            self.ending = ending
            self.error = error
            self.files = files
            self.failedFiles = failedFiles
        }
    }

    /// The statistics of everything recorded so far.
    ///
    /// - Parameters:
    ///   - hasRateLimit: whether the caller slowed down the input.
    ///   - sentence: puts the bottleneck into words.
    package init(
        _ recorder: Recorder, _ monitor: Monitor, _ activity: Activity, hasRateLimit: Bool = false, _ outcome: Outcome,
        sentence: (Verdict) -> String
    ) {
        self.outcome = outcome.ending
        error = outcome.error
        files = outcome.files
        failedFiles = outcome.failedFiles
        let elapsed = recorder.elapsed
        let order = recorder.record(of: .order)
        elapsedSeconds = elapsed
        bytesIn = recorder.record(of: .read).bytes
        bytesOut = recorder.record(of: .write).bytes
        contentBytes = activity.content(input: order.source, output: order.bytes)
        contentBytesPerSecond = elapsed > 0 ? Double(contentBytes) / elapsed : 0
        let output = activity.hasOutput ? bytesOut : contentBytes
        if outcome.ending == .success, activity.content(input: bytesIn, output: output) == contentBytes {
            ratio = activity.ratio(input: Double(bytesIn), output: Double(output))
        }
        levels = monitor.levelUse
        workers = recorder.workers
        let slotUse = monitor.slotUse
        slots = monitor.slots.count
        slotsInUseMean = elapsed > 0 ? slotUse.seconds / elapsed : 0
        slotsInUseMax = slotUse.most
        stages = Self.stages(recorder, activity, elapsed: elapsed)
        process = ProcessUsage()
        let verdict = Verdict(recorder.times(elapsed: elapsed), hasRateLimit: hasRateLimit, content: activity.content)
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
        let blocks = recorder.record(of: .blocks)
        let ownBlocks = blocks.seconds - blocks.workersSeconds
        let (order, sync, name) = (recorder.record(of: .order), recorder.record(of: .sync), recorder.record(of: .name))
        let stages = [
            Stage("read", read, busy: read.seconds, waiting: slot.seconds),
            Stage("slot", slot, busy: 0, waiting: slot.seconds),
            Stage(
                activity.name, work, bytes: activity.content(input: work.source, output: work.bytes),
                busy: work.seconds - ownBlocks, waiting: idle.seconds),
            Stage("order", order, busy: 0, waiting: order.seconds),
            Stage("write", write, busy: write.seconds, waiting: max(0, elapsed - write.seconds)),
            name.operations > 0
                ? Stage("name", name, busy: name.seconds, waiting: 0)
                : Stage("sync", sync, busy: sync.seconds, waiting: 0),
        ]
        if blocks.operations == 0 { return stages }
        let row = Stage("blocks", blocks, bytes: blocks.source, busy: blocks.seconds, waiting: 0)
        return stages[..<2] + [row] + stages[2...]
    }
}

extension Recorder {
    func times(elapsed: Double) -> Verdict.Times {
        let (read, work, blocks) = (record(of: .read), record(of: .work), record(of: .blocks))
        return Verdict.Times(
            elapsed: elapsed, workers: workers, chunks: work.operations, work: work.seconds + blocks.workersSeconds,
            ownRead: read.workersSeconds, read: read.seconds - read.workersSeconds,
            slot: record(of: .slot).seconds, write: record(of: .write).seconds, sync: record(of: .sync).seconds,
            name: record(of: .name).seconds, frame: blocks.operations > 0 ? work.seconds : 0,
            processor: processorTime, processors: countedProcessorTime)
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
        latencyP50Seconds = record.latencies.seconds(atPercentile: 50)
        latencyP99Seconds = record.latencies.seconds(atPercentile: 99)
        latencyMaxSeconds = record.latencies.longest
    }
}

extension Statistics {
    /// What a run does with its data, for its numbers and sentences.
    package struct Activity: Equatable, Sendable {
        /// The side of a run that has the decompressed bytes.
        package enum Content: Sendable {
            case input, output
            /// Nothing is compressed.
            case both
        }

        /// A verb, such as "compress", which is also the name of the workers' stage.
        package let name: String
        /// The workers' activity as a noun, such as "compression".
        package let noun: String
        package let content: Content
        package let hasOutput: Bool

        package init(_ name: String, noun: String, content: Content, hasOutput: Bool = true) {
            self.name = name
            self.noun = noun
            self.content = content
            self.hasOutput = hasOutput
        }

        /// Whichever of the two is the decompressed size.
        package func content<Size>(input: Size, output: Size) -> Size { content == .output ? output : input }

        /// Decompressed bytes over compressed ones; nil if nothing is compressed, or one of the sizes is 0.
        package func ratio(input: Double, output: Double) -> Double? {
            guard content != .both, input > 0, output > 0 else { return nil }
            return content == .input ? input / output : output / input
        }
    }
}

extension Statistics {
    /// A command whose output was the input, with the processes that it has waited for.
    package struct Command: Equatable, Sendable {
        /// Without its arguments, which may hold secrets.
        package let name: String
        /// Nil if a signal ended it.
        package let exitStatus: Int?
        package let signal: Int?
        package let userSeconds: Double
        package let systemSeconds: Double
        package let peakMemoryBytes: UInt64

        package init(
            name: String, exitStatus: Int?, signal: Int?, userSeconds: Double, systemSeconds: Double,
            peakMemoryBytes: UInt64
        ) {
            self.name = name
            self.exitStatus = exitStatus
            self.signal = signal
            self.userSeconds = userSeconds
            self.systemSeconds = systemSeconds
            self.peakMemoryBytes = peakMemoryBytes
        }
    }
}
