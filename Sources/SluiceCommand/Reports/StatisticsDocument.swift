import SluiceEngine

/// The statistics of a run, with what was asked for: as docs/statistics.schema.json describes them, and for people.
struct StatisticsDocument: JSONValue {
    /// Changes when a name or a meaning does.
    private static let schemaVersion = 7

    let activity: Activity
    var statistics: RunStatistics
    let outcome: RunOutcome
    var process = ProcessUsage()
    /// The command whose output was the input, once it has exited.
    var command: CommandUsage?
    /// The bottleneck as a sentence.
    let bottleneck: String
    /// The options, files, place and time of the run.
    let run: any JSONValue
    /// Lines for people about what frames refer to.
    var references: [String] = []

    /// The bottleneck, or what ended the run.
    var verdict: String {
        switch outcome.ending {
        case .success: bottleneck
        case .failure: "failed: \(outcome.error ?? "no reason is known")"
        case .interrupted: outcome.error ?? "interrupted"
        }
    }

    /// Nil if the run did not succeed.
    private var limitedBy: String? { outcome.ending == .success ? statistics.limitedBy.description : nil }

    /// Decompressed bytes over compressed bytes, of `bytesIn` and `bytesOut`, or of `contentBytes` where nothing is
    /// written. Nil when nothing was compressed, and when the sizes are not of the same content: an unfinished run has
    /// read more or written less, and for a range whole frames are decoded.
    private var ratio: Double? {
        let output = activity.hasOutput ? statistics.bytesOut : statistics.contentBytes
        let content = activity.content.size(input: statistics.bytesIn, output: output)
        guard outcome.ending == .success, content == statistics.contentBytes else { return nil }
        return activity.ratio(input: Double(statistics.bytesIn), output: Double(output))
    }

    /// The workers' stage has the name of their activity.
    var stages: [RunStatistics.Stage] {
        statistics.stages.map { stage in
            var stage = stage
            if stage.name == "work" { stage.name = activity.name }
            return stage
        }
    }

    func write(to json: inout JSON) {
        let elapsed = statistics.elapsed.seconds
        json.object { json in
            json.entry("bytesIn", statistics.bytesIn)
            json.entry("bytesOut", statistics.bytesOut)
            json.entry("command", command)
            json.entry("contentBytes", statistics.contentBytes)
            json.entry("contentBytesPerSecond", elapsed > 0 ? Double(statistics.contentBytes) / elapsed : 0)
            json.entry("elapsedSeconds", elapsed)
            json.entry("error", outcome.error)
            json.entry("failedFiles", outcome.failedFiles)
            json.entry("files", outcome.files)
            json.entry("levels", statistics.levels)
            json.entry("limitedBy", limitedBy)
            json.entry("outcome", outcome.ending.rawValue)
            json.entry("process", process)
            json.entry("ratio", ratio)
            json.entry("run", run)
            json.entry("schemaVersion", Self.schemaVersion)
            json.entry("slots", statistics.slots)
            json.entry("slotsInUseMax", statistics.slotsInUse)
            json.entry("slotsInUseMean", statistics.slotsInUseMean)
            json.entry("stages", stages)
            json.entry("verdict", verdict)
            json.entry("workerUtilisation", statistics.workerUtilization)
            json.entry("workers", statistics.workers)
        }
    }
}

extension RunStatistics.Stage: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("busySeconds", busySeconds)
            json.entry("bytes", bytes)
            json.entry("bytesPerBusySecond", bytesPerBusySecond)
            json.entry("latencyMaxSeconds", latencyMaxSeconds)
            json.entry("latencyP50Seconds", latencyP50Seconds)
            json.entry("latencyP99Seconds", latencyP99Seconds)
            json.entry("name", name)
            json.entry("operations", operations)
            json.entry("retries", retries)
            json.entry("waitingSeconds", waitingSeconds)
        }
    }
}

extension Activity: JSONValue {
    func write(to json: inout JSON) { json.text(name) }
}

extension PartNumber: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("count", count)
            json.entry("number", number)
        }
    }
}

extension LevelUse: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("highest", highest)
            json.entry("lowest", lowest)
            json.entry("mean", mean)
        }
    }
}

extension Machine: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("cpuModel", cpuModel)
            json.entry("cpus", cpus)
            json.entry("kernel", kernel)
            json.entry("memoryBytes", memoryBytes)
            json.entry("system", system)
        }
    }
}

extension ProcessUsage: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("involuntaryContextSwitches", involuntaryContextSwitches)
            json.entry("majorPageFaults", majorPageFaults)
            json.entry("minorPageFaults", minorPageFaults)
            json.entry("peakMemoryBytes", peakMemoryBytes)
            json.entry("systemSeconds", systemSeconds)
            json.entry("userSeconds", userSeconds)
            json.entry("voluntaryContextSwitches", voluntaryContextSwitches)
        }
    }
}
