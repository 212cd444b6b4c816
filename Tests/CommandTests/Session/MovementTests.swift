import Testing

@testable import SluiceCommand

@Suite struct MovementTests {
    /// What moves in each second of a run, and nothing else.
    enum Moving: CaseIterable { case reading, working, made, written, transfer, nothing }

    @Test(arguments: Moving.allCases)
    func `a run has stalled only if nothing moves anywhere`(_ moving: Moving) {
        var movement = Movement()
        for second in 1...30 {
            let amount = UInt64(second)
            let amounts = [Moving.reading, .made, .written].map { $0 == moving ? amount : 7 }
            movement.note(
                amounts, isBusy: moving == .working, isWriting: moving == .transfer, at: Double(second),
                transfers: { amount << 20 })
            #expect((movement.stall(at: Double(second)) == nil) == (moving != .nothing || second < 4), "\(second)")
        }
        #expect(movement.stall(at: 41) ?? 0 >= 11)
    }

    @Test func `drawing the bar moves nothing, and a write may take a while`() {
        var movement = Movement()
        for tick in 1...300 {
            let now = Double(tick) / 10
            movement.note([5, 5, 5], isBusy: false, isWriting: true, at: now, transfers: { UInt64(tick) * 1000 })
            #expect((movement.stall(at: now) != nil) == (now > 10.15), "\(now)")
        }
    }
}
