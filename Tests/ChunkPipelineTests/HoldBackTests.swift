import StreamTestSupport
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// When frames are held back: without threads, and for slots that change in any order.
struct HoldBackTests {
    @Test func `without a level nothing is ever held back`() {
        var holdBack = HoldBack(until: 0)
        #expect(!holdBack.isHolding)
        holdBack.outputDidRunDry()
        #expect(!holdBack.isHolding)
    }

    @Test(arguments: 1...6)
    func `it holds until so many slots are in use`(level: Int) {
        var holdBack = HoldBack(until: level)
        for _ in 1..<level {
            holdBack.slotsDidChange(by: 1)
            #expect(holdBack.isHolding)
        }
        holdBack.slotsDidChange(by: 1)
        #expect(!holdBack.isHolding)
        // What is given back closes nothing: only an output that has run dry does.
        holdBack.slotsDidChange(by: -level)
        #expect(!holdBack.isHolding)
        holdBack.outputDidRunDry()
        #expect(holdBack.isHolding)
    }

    /// The hang: every slot was taken by chunks that are worked on, and nobody was left to take the next one.
    @Test(arguments: 1...6)
    func `it does not begin to hold with enough slots in use`(level: Int) {
        var holdBack = HoldBack(until: level)
        holdBack.slotsDidChange(by: level)
        holdBack.outputDidRunDry()
        #expect(!holdBack.isHolding)
    }

    @Test func `after the end it never holds`() {
        var holdBack = HoldBack(until: 3)
        holdBack.end()
        #expect(!holdBack.isHolding)
        holdBack.outputDidRunDry()
        #expect(!holdBack.isHolding)
    }

    @Test(arguments: 0..<200)
    func `whoever can take no further slot is never left waiting`(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let count = Int.random(in: 1...8, using: &random)
        var holdBack = HoldBack(until: Int.random(in: 1...count, using: &random))
        var inUse = 0
        for _ in 0..<500 {
            if Bool.random(using: &random), inUse < count {
                inUse += 1
                holdBack.slotsDidChange(by: 1)
            } else if inUse > 0, !holdBack.isHolding {
                inUse -= 1
                holdBack.slotsDidChange(by: -1)
                if Bool.random(using: &random) { holdBack.outputDidRunDry() }
            }
            #expect(inUse < count || !holdBack.isHolding)
        }
    }
}
