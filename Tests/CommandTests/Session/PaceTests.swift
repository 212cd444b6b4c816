import Testing

@testable import SluiceCommand

@Suite struct PaceTests {
    @Test func `the rate is that of the last seconds`() {
        var pace = Pace()
        #expect(pace.rate(at: 0) == 0)
        for tick in 1...100 { pace.note(UInt64(tick) * 100, at: Double(tick) / 10) }
        #expect(abs(pace.rate(at: 10) - 1000) < 1)
        // It was faster before, which does not count any more.
        for tick in 101...150 { pace.note(10_000 + UInt64(tick - 100) * 10, at: Double(tick) / 10) }
        #expect(abs(pace.rate(at: 15) - 100) < 1)
    }

    @Test func `large frames that come seldom have a rate`() {
        var pace = Pace()
        for frame in 1...5 { pace.note(UInt64(frame) * 100, at: Double(frame) * 10) }
        #expect(abs(pace.rate(at: 50) - 10) < 0.1)
        pace.note(500, at: 57)
        #expect(pace.rate(at: 100) < 10)
    }
}
