import SluiceEngine

extension StatisticsDocument {
    /// The statistics for people, in 80 columns.
    var table: String { statistics.table(references) }
}

extension Statistics {
    /// - Parameter references: lines about what frames refer to.
    func table(_ references: [String] = []) -> String {
        let widths = [8, 7, 7, 7, 10, 7, 7, 7]
        let names = ["bytes", "ops", "busy", "waiting", "while busy", "p50", "p99", "max"]
        var rows = [("stage", names)]
        for stage in stages where stage.operations > 0 {
            rows.append((stage.label, stage.cells(ByteCount.formatBriefly).map { $0.text ?? "" }))
        }
        var lines = rows.map { name, cells in
            name.padded(-11) + zip(cells, widths).map { " " + $0.padded($1) }.joined()
        }
        lines.append(
            """
            workers \(workers), busy \(workerUtilisation.percent); \
            slots \(slots), in use \(ByteCount.fixed(slotsInUseMean, digits: 1)) on average, \(slotsInUseMax) at most
            """)
        if let levels { lines.append("levels \(levels.text)") }
        lines.append(
            """
            CPU \(ByteCount.formatSeconds(process.userSeconds)) user, \(ByteCount.formatSeconds(process.systemSeconds)) system; \
            peak memory \(ByteCount.format(process.peakMemoryBytes))
            context switches \(process.voluntaryContextSwitches) + \(process.involuntaryContextSwitches); \
            page faults \(process.minorPageFaults) + \(process.majorPageFaults)
            """)
        lines += references
        if let command { lines.append(command.text) }
        lines.append(verdict)
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Statistics.Command {
    /// For people, such as `pg_dump exited with status 0; CPU 1.2 s user, 0.1 s system; peak memory 12 MiB`.
    fileprivate var text: String {
        let ending = signal.map { "was killed by signal \($0)" } ?? "exited with status \(exitStatus ?? 0)"
        return """
            \(FilePath(name).printable) \(ending); CPU \(ByteCount.formatSeconds(userSeconds)) user, \
            \(ByteCount.formatSeconds(systemSeconds)) system; peak memory \(ByteCount.format(peakMemoryBytes))
            """
    }
}

extension LevelUse {
    /// For people, such as `1 to 12, 4.5 on average`.
    var text: String {
        "\(lowest) to \(highest), \(mean < 0 ? "-" : "")\(ByteCount.fixed(abs(mean), digits: 1)) on average"
    }
}

extension Statistics.Stage {
    /// The stage's name for people.
    var label: String {
        switch name {
        case "slot": "slot wait"
        case "order": "order wait"
        default: name
        }
    }

    /// The numbers of its row and their texts; a text is nil where the number is meaningless.
    ///
    /// - Parameter time: puts seconds into words.
    func cells(_ time: (Double) -> String) -> [(number: any Numeric, text: String?)] {
        var cells: [(number: any Numeric, text: String?)] = [
            (bytes, bytes > 0 ? ByteCount.format(bytes) : nil), (operations, "\(operations)"),
            (busySeconds, time(busySeconds)), (waitingSeconds, time(waitingSeconds)),
            (bytesPerBusySecond, bytesPerBusySecond > 0 ? ByteCount.formatRate(bytesPerBusySecond) : nil),
        ]
        for latency in [latencyP50Seconds, latencyP99Seconds, latencyMaxSeconds] {
            cells.append((latency, operations > 0 ? time(latency) : nil))
        }
        return cells
    }
}

extension Verdict {
    /// The bottleneck of the run, as a sentence without its full stop.
    ///
    /// - Parameter command: its name, if its output is the input.
    func sentence(of activity: Statistics.Activity, from command: String? = nil) -> String {
        switch cause {
        case .nothingToDo: "limited by its size: there was no data to work on"
        case .size(let chunks):
            "limited by its size: \(chunks) \(chunks == 1 ? "chunk" : "chunks") of data gave the workers little to share"
        case .sync(let share): "limited by the disk: flushing the output took \(share.percent) of the time"
        case .name(let share):
            "limited by the file system: giving the output its name took \(share.percent) of the time"
        case .reading(let share): "limited by the input: workers read for \(share.percent) of the time"
        case .input(let share):
            "limited by \(command.map { "the command \($0)" } ?? "the input"): workers waited \(share.percent) of the time"
        case .rate(let share): "limited by \(Self.limit(activity)): workers waited \(share.percent) of the time"
        case .work(let workers):
            "limited by \(activity.noun): \(Self.subject(workers)) busy \(utilisation.percent) of the time"
        case .processors(let share):
            "limited by the CPUs: other processes had them \(share.percent) of the time"
        case .output(let share): "limited by the output: writing took \(share.percent) of the time"
        }
    }

    /// The rate limit's name, and what it counts.
    private static func limit(_ activity: Statistics.Activity) -> String {
        activity.content == .output ? "--limit-rate, which counts compressed bytes" : "--limit-rate"
    }

    private static func subject(_ workers: Int) -> String {
        workers == 1 ? "the worker was" : workers == 2 ? "both workers were" : "all \(workers) workers were"
    }
}
