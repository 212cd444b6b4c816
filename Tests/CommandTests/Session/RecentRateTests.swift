import Testing

@testable import SluiceCommand

@Suite struct RecentRateTests {
    @Test func `the rate is that of the last seconds`() {
        var recentRate = RecentRate()
        #expect(recentRate.rate(at: 0) == 0)
        for tick in 1...100 { recentRate.note(UInt64(tick) * 100, at: Double(tick) / 10) }
        #expect(abs(recentRate.rate(at: 10) - 1000) < 1)
        // It was faster before, which does not count any more.
        for tick in 101...150 { recentRate.note(10_000 + UInt64(tick - 100) * 10, at: Double(tick) / 10) }
        #expect(abs(recentRate.rate(at: 15) - 100) < 1)
    }

    @Test func `large frames that come seldom have a rate`() {
        var recentRate = RecentRate()
        for frame in 1...5 { recentRate.note(UInt64(frame) * 100, at: Double(frame) * 10) }
        #expect(abs(recentRate.rate(at: 50) - 10) < 0.1)
        recentRate.note(500, at: 57)
        #expect(recentRate.rate(at: 100) < 10)
    }
}
