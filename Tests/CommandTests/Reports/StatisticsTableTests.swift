import Testing

@testable import SluiceCommand
@testable import SluiceEngine

/// The table that ends a run with `--stats`.
@Suite struct StatisticsTableTests {
    private func table(_ activity: Activity, _ change: (inout StatisticsDocument) -> Void) -> [Substring] {
        let recorder = Recorder()
        for stage in StageSpan.Stage.allCases {
            recorder.observe(StageSpan(stage: stage, bytes: 1, source: 1, start: 0, end: 1))
        }
        let statistics = RunStatistics(recorder, Monitor([]), content: activity.content)
        var document = StatisticsDocument(
            activity: activity, statistics: statistics, outcome: RunOutcome(.success, files: 1, failedFiles: 0),
            bottleneck: statistics.verdict.sentence(of: activity), run: true)
        change(&document)
        return document.table.split(separator: "\n")
    }

    /// A week at 1 GB/s, and runs of an instant.
    @Test(arguments: [1e-9, 0.000_942_1, 0.9994, 0.9996, 99.96, 604_800], [0, 1023, 1 << 49] as [UInt64])
    func `it fits 80 columns, and its cells stand apart`(_ seconds: Double, _ bytes: UInt64) throws {
        let lines = table(.decompress) { document in
            for index in document.statistics.stages.indices {
                var stage = document.statistics.stages[index]
                (stage.bytes, stage.operations) = (bytes, 9_999_999)
                (stage.busySeconds, stage.waitingSeconds) = (seconds, seconds)
                stage.bytesPerBusySecond = Double(bytes) / max(seconds, 1)
                (stage.latencyP50Seconds, stage.latencyP99Seconds) = (seconds, seconds)
                stage.latencyMaxSeconds = seconds
                document.statistics.stages[index] = stage
            }
            (document.process.userSeconds, document.process.systemSeconds) = (seconds, seconds)
        }
        #expect(lines.allSatisfy { $0.count < 80 }, "\(lines)")
        let rows = lines.prefix { !$0.hasPrefix("workers") }
        #expect(rows.count == 9)
        #expect(Set(rows.map(\.count)).count == 1, "\(rows)")
        #expect(rows.allSatisfy { $0.hasSuffix(ByteCount.formatBriefly(seconds: seconds)) || $0.hasSuffix("max") })
        #expect(rows.dropFirst().allSatisfy { $0.contains(" 9999999 ") })
    }

    @Test(
        arguments: [
            (0, "0 s"), (1e-9, "0 us"), (0.000_08, "80 us"), (0.003_52, "3.52 ms"), (0.3812, "381 ms"),
            (0.9996, "1.00 s"),
            (1.274, "1.27 s"), (7200, "7200 s"), (604_800, "168 h"),
        ])
    func `times have three digits`(_ seconds: Double, _ text: String) {
        #expect(ByteCount.formatBriefly(seconds: seconds) == text)
    }
}
