import Testing

@testable import SluiceEngine

/// Shares of the time.
@Suite struct LoadMeterTests {
    @Test func `each stage has the share of the time in which it had something to do`() {
        var meter = LoadMeter(workers: 2, at: 1000)
        meter.workDidChange(by: 1, at: 1000)
        meter.inputDidChange(isWaiting: true, at: 1000)
        meter.workDidChange(by: 1, at: 1050)
        meter.inputDidChange(isWaiting: false, at: 1025)
        meter.outputDidChange(isWriting: true, at: 1075)
        #expect(meter.look(at: 1100) == LoadMeter.Load(work: 0.75, input: 0.5, output: 0.25))
        // What goes on goes on, and what was is forgotten.
        meter.workDidChange(by: -1, at: 1150)
        #expect(meter.look(at: 1200) == LoadMeter.Load(work: 0.75, input: 0, output: 1))
        #expect(meter.working == 1)
    }

    @Test func `threads whose turn comes late do no harm`() {
        var meter = LoadMeter(workers: 1, at: 1000)
        meter.workDidChange(by: 1, at: 900)
        meter.workDidChange(by: -1, at: 1010)
        meter.outputDidChange(isWriting: true, at: 1005)
        let load = meter.look(at: 1020)
        #expect(load == LoadMeter.Load(work: 0.5, input: 0, output: 0.5))
        let nothing = meter.look(at: 1020)
        #expect(nothing.work == 0 && nothing.output == 0)
    }
}
