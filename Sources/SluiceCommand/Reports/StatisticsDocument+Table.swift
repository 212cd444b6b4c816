import SluiceEngine

extension StatisticsDocument {
    /// The statistics for people, in 80 columns.
    var table: String {
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
            workers \(statistics.workers), busy \(statistics.workerUtilization.percent); slots \(statistics.slots), \
            in use \(ByteCount.fixed(statistics.slotsInUseMean, digits: 1)) on average, \(statistics.slotsInUse) at most
            """)
        if let levels = statistics.levels { lines.append("levels \(levels.text)") }
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

extension LevelUse {
    /// For people, such as `1 to 12, 4.5 on average`.
    var text: String {
        "\(lowest) to \(highest), \(mean < 0 ? "-" : "")\(ByteCount.fixed(abs(mean), digits: 1)) on average"
    }
}

extension RunStatistics.Stage {
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
