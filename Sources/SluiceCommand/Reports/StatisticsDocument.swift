import SluiceEngine

/// The statistics of a run, with what was asked for: as docs/statistics.schema.json describes them, and for people.
struct StatisticsDocument: JSONValue {
    /// Changes when a name or a meaning does.
    private static let schemaVersion = 6

    let activity: Statistics.Activity
    var statistics: Statistics
    /// The options, files, place and time of the run.
    let run: any JSONValue
    /// Lines for people about what frames refer to.
    let references: [String]

    func write(to json: inout JSON) {
        json.object { json in
            json.entry("bytesIn", statistics.bytesIn)
            json.entry("bytesOut", statistics.bytesOut)
            json.entry("command", statistics.command)
            json.entry("contentBytes", statistics.contentBytes)
            json.entry("contentBytesPerSecond", statistics.contentBytesPerSecond)
            json.entry("elapsedSeconds", statistics.elapsedSeconds)
            json.entry("error", statistics.error)
            json.entry("failedFiles", statistics.failedFiles)
            json.entry("files", statistics.files)
            json.entry("levels", statistics.levels)
            json.entry("limitedBy", statistics.limitedBy)
            json.entry("outcome", statistics.outcome.rawValue)
            json.entry("process", statistics.process)
            json.entry("ratio", statistics.ratio)
            json.entry("run", run)
            json.entry("schemaVersion", Self.schemaVersion)
            json.entry("slots", statistics.slots)
            json.entry("slotsInUseMax", statistics.slotsInUseMax)
            json.entry("slotsInUseMean", statistics.slotsInUseMean)
            json.entry("stages", statistics.stages)
            json.entry("verdict", statistics.verdict)
            json.entry("workerUtilisation", statistics.workerUtilisation)
            json.entry("workers", statistics.workers)
        }
    }
}

extension Statistics.Stage: JSONValue {
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
            json.entry("waitingSeconds", waitingSeconds)
        }
    }
}

extension Statistics.Activity: JSONValue {
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

extension Statistics.Command: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("exitStatus", exitStatus)
            json.entry("name", name)
            json.entry("peakMemoryBytes", peakMemoryBytes)
            json.entry("signal", signal)
            json.entry("systemSeconds", systemSeconds)
            json.entry("userSeconds", userSeconds)
        }
    }
}
