import Testing

@testable import SluiceEngine

@Suite struct StatisticsTests {
    @Test func `a run in which nothing happened has numbers`() {
        let statistics = RunStatistics(Recorder(), Monitor([]), content: .input)
        #expect(statistics.workerUtilization == 0)
        #expect(statistics.limitedBy == .size)
        #expect(statistics.stages.map(\.name) == ["read", "slot", "work", "order", "write", "sync"])
        #expect(statistics.stages.allSatisfy { $0.bytesPerBusySecond == 0 && $0.latencyMaxSeconds == 0 })
    }

    @Test func `each stage is told from the spans that it gave`() {
        let recorder = Recorder()
        recorder.observe(StageSpan(stage: .read, bytes: 1000, start: 0, end: 100))
        recorder.observe(StageSpan(stage: .work, lane: 1, bytes: 400, source: 1000, start: 100, end: 1_000_000_100))
        recorder.observe(StageSpan(stage: .order, bytes: 400, source: 1000, start: 200, end: 300))
        recorder.observe(StageSpan(stage: .write, bytes: 420, start: 300, end: 500))
        let statistics = RunStatistics(recorder, Monitor([]), content: .input)
        #expect(statistics.bytesIn == 1000)
        #expect(statistics.bytesOut == 420)
        #expect(statistics.contentBytes == 1000)
        #expect(statistics.workers == 2)
        // The workers' bytes are decompressed ones.
        #expect(statistics.stages[2].bytes == 1000)
        #expect(statistics.stages[2].bytesPerBusySecond == 1000)
        #expect(statistics.stages[2].latencyMaxSeconds == 1)
    }

    @Test func `what workers read for themselves is part of what the diagram draws as their work`() {
        let now = StageSpan.now()
        var timeline = Timeline(start: now)
        timeline.record(StageSpan(stage: .read, lane: 0, bytes: 1, start: now, end: now + 1000))
        timeline.record(StageSpan(stage: .read, bytes: 1, start: now, end: now + 1000))
        timeline.record(StageSpan(stage: .work, lane: 0, bytes: 1, source: 1, start: now + 1000, end: now + 3000))
        #expect(timeline.working.sums.reduce(0, +).rounded() == 3000)
        #expect(timeline.reading.sums.reduce(0, +).rounded() == 2000)
    }

    @Test func `ratio and content are those of the side that is not compressed`() {
        #expect(Activity.compress.ratio(input: 10, output: 4) == 2.5)
        #expect(Activity.test.ratio(input: 4, output: 10) == 2.5)
        #expect(Activity.copy.ratio(input: 4, output: 4) == nil)
        #expect(Activity.compress.ratio(input: 0, output: 4) == nil)
        #expect(Activity.Content.output.size(input: 4, output: 10) == 10)
        #expect(Activity.Content.both.size(input: 4, output: 4) == 4)
    }

    @Test func `no percentile exceeds the longest, which is exact`() {
        var record = StageRecord()
        for length in [UInt64(1), 12_345, 987_654_321] { record.record(StageSpan(stage: .work, start: 0, end: length)) }
        #expect(record.latencies.longest == 0.987654321)
        #expect(record.latencies.seconds(atPercentile: 99) <= record.latencies.longest)
        #expect(abs(record.latencies.seconds(atPercentile: 50) - 12_345e-9) < 12_345e-9 / 50)
    }

    @Test func `a clock that seems to go back does no harm`() {
        var record = StageRecord()
        record.record(StageSpan(stage: .work, start: 10, end: 5))
        #expect(record.seconds == 0)
    }
}
