import Testing

@testable import SluiceEngine

@Suite struct TimelineSeriesTests {
    @Test(arguments: StageSpan.Stage.allCases) func `what takes time is in a curve, and in one`(
        _ stage: StageSpan.Stage
    ) {
        var timeline = Timeline(start: 0)
        timeline.record(StageSpan(stage: stage, lane: 1, bytes: 1, start: 0, end: 28_000_000_000))
        let curves = [timeline.working, timeline.writing, timeline.syncing].map { $0.sums.reduce(0, +) }
        // What is sent is written at the same time.
        let isShown = ![.slot, .idle, .order, .slots, .upload].contains(stage)
        #expect(curves.count { abs($0 - 28e9) < 1 } == (isShown ? 1 : 0))
    }

    @Test func `merging keeps the sum`() {
        var series = Timeline.Series(width: 10)
        for position in stride(from: UInt64(0), to: 100_000, by: 7) { series.add(1, at: position) }
        #expect(series.sums.reduce(0, +) == Double((100_000 + 6) / 7))
        #expect(series.sums.count <= 240)
        #expect(series.width == 640)
    }

    @Test func `what is spread goes to each stretch by its share`() {
        var series = Timeline.Series(width: 10)
        series.add(30, from: 5, to: 35)
        #expect(series.sums == [5, 10, 10, 5])
    }

    @Test(arguments: [UInt64(1), 9, 10, 2399, 2400, 2401, 1 << 40])
    func `spreading keeps the sum, however far it goes`(_ end: UInt64) {
        var series = Timeline.Series(width: 10)
        series.add(7, from: end / 3, to: end)
        series.add(1, from: end, to: end)
        #expect(abs(series.sums.reduce(0, +) - 8) < 1e-9)
        #expect(series.sums.count <= 240)
    }
}
