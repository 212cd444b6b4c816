import Sluice

extension Statistics {
    /// The statistics for a person.
    var table: String {
        var lines = [
            "stage             bytes      ops        busy     waiting  while busy       p50       p99       max"
        ]
        for stage in stages where stage.operations > 0 {
            let cells = [
                (stage.bytes > 0 ? ByteCount.format(stage.bytes) : "", 11), (String(stage.operations), 9),
                (Self.seconds(stage.busySeconds), 12), (Self.seconds(stage.waitingSeconds), 12),
                (stage.bytesPerBusySecond > 0 ? ByteCount.formatRate(stage.bytesPerBusySecond) : "", 12),
                (Self.seconds(stage.latencyP50Seconds), 10), (Self.seconds(stage.latencyP99Seconds), 10),
                (Self.seconds(stage.latencyMaxSeconds), 10),
            ]
            let name = Self.label(stage.name)
            lines.append(
                name + String(repeating: " ", count: max(0, 12 - name.count)) + cells.map(Self.padded).joined())
        }
        lines.append(
            """
            workers \(workers), busy \(Int((workerUtilisation * 100).rounded())) %; \
            slots \(slots), in use \(ByteCount.fixed(slotsInUseMean, digits: 1)) on average, \(slotsInUseMax) at most
            """)
        lines.append(
            """
            CPU \(Self.seconds(process.userSeconds)) user, \(Self.seconds(process.systemSeconds)) system; \
            peak memory \(ByteCount.format(process.peakMemoryBytes)); \
            context switches \(process.voluntaryContextSwitches) + \(process.involuntaryContextSwitches); \
            page faults \(process.minorPageFaults) + \(process.majorPageFaults)
            """)
        lines.append(verdict)
        return lines.joined(separator: "\n") + "\n"
    }

    /// A stage's name for a person.
    static func label(_ name: String) -> String {
        switch name {
        case "slot": "slot wait"
        case "order": "order wait"
        default: name
        }
    }

    /// Seconds in a unit that fits.
    static func seconds(_ seconds: Double) -> String {
        if seconds >= 1 || seconds == 0 { return ByteCount.fixed(seconds, digits: 2) + " s" }
        if seconds >= 0.001 { return ByteCount.fixed(seconds * 1000, digits: 1) + " ms" }
        return ByteCount.fixed(seconds * 1_000_000, digits: 1) + " us"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
