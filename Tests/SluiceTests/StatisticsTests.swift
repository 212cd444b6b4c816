import Testing

@testable import Sluice

@Suite struct StatisticsTests {
    private let outcome = Statistics.Outcome(
        mode: "compress", outcome: "success", files: 1, failedFiles: 0, hasRateLimit: false)

    @Test func `a run in which nothing happened has numbers`() {
        let statistics = Statistics(Recorder(keepsTimeline: false), Monitor([]), outcome)
        #expect(statistics.ratio == nil)
        #expect(statistics.workerUtilisation == 0)
        #expect(statistics.stages.map(\.name) == ["read", "slot", "compress", "order", "write", "sync"])
        #expect(statistics.stages.allSatisfy { $0.bytesPerBusySecond == 0 && $0.latencyMaxSeconds == 0 })
    }

    @Test func `each stage is told from the spans that it gave`() {
        let recorder = Recorder(keepsTimeline: true)
        recorder.observe(Span(stage: .read, bytes: 1000, start: 0, end: 100))
        recorder.observe(Span(stage: .work, lane: 1, bytes: 400, source: 1000, start: 100, end: 1_000_000_100))
        recorder.observe(Span(stage: .order, bytes: 400, source: 1000, start: 200, end: 300))
        recorder.observe(Span(stage: .write, bytes: 420, start: 300, end: 500))
        let statistics = Statistics(recorder, Monitor([]), outcome)
        #expect(statistics.bytesIn == 1000)
        #expect(statistics.bytesOut == 420)
        #expect(statistics.contentBytes == 1000)
        #expect(statistics.ratio == 2.5)
        #expect(statistics.workers == 2)
        // The workers' bytes are decompressed ones.
        #expect(statistics.stages[2].bytes == 1000)
        #expect(statistics.stages[2].bytesPerBusySecond == 1000)
        #expect(statistics.stages[2].latencyMaxSeconds == 1)
    }

    @Test func `no percentile exceeds the longest, which is exact`() {
        var record = StageRecord()
        for length in [UInt64(1), 12_345, 987_654_321] { record.record(Span(stage: .work, start: 0, end: length)) }
        #expect(record.longest == 0.987654321)
        #expect(record.latency(percentile: 99) <= record.longest)
        #expect(abs(record.latency(percentile: 50) - 12_345e-9) < 12_345e-9 / 50)
    }

    @Test func `a clock that seems to go back does no harm`() {
        var record = StageRecord()
        record.record(Span(stage: .work, start: 10, end: 5))
        #expect(record.seconds == 0)
    }
}
