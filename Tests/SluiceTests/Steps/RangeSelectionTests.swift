import Testing
import ZstdCodec

@testable import SluiceEngine

struct RangeSelectionTests {
    @Test func `frames that come in order are cut to what is wanted`() {
        var selection = RangeSelection([5..<12, 12..<13, 25..<26])
        let taken = { (count: UInt64) in selection.take(count) }
        #expect(taken(10) == [5..<10])
        #expect(taken(10) == [0..<2, 2..<3])
        #expect(selection.next == 25)
        #expect(!selection.isComplete)
        #expect(taken(10) == [5..<6])
        #expect(selection.isComplete)
        #expect(taken(10).isEmpty)
        #expect(selection.position == 40)
    }

    @Test func `with an index each frame is the one that has the next byte`() {
        var index = FrameIndex()
        for _ in 0..<4 { _ = index.append(inputSize: 3, contentSize: 10) }
        var selection = RangeSelection([25..<35, 2..<4, 1..<3], index: index)
        let taken = { (count: UInt64, isLast: Bool) in selection.take(count, isLast: isLast) }
        #expect(taken(10, true) == [5..<10])
        // In pieces, as large frames come.
        #expect(taken(4, false) == [0..<4])
        #expect(taken(6, false) == [0..<1])
        #expect(taken(0, true) == [])
        #expect(taken(10, true) == [2..<4])
        #expect(selection.next == 1)
        #expect(taken(10, true) == [1..<3])
        #expect(selection.isComplete)
    }

    /// Each copy of the ranges would be 3 MB.
    @Test(.timeLimit(.minutes(4)))
    func `to look ahead costs the same however many ranges there are`() {
        let ranges = (0..<200_000 as Range<UInt64>).map { 10 * $0..<10 * $0 + 1 }
        var selection = RangeSelection(ranges)
        var count = 0
        while !selection.isComplete {
            var ahead = selection
            #expect(ahead.take(10) == [0..<1])
            if selection.take(10) == [0..<1], selection.next == ahead.next { count += 1 }
        }
        #expect(count == ranges.count)
    }

    @Test func `nothing is complete from the start`() {
        #expect(RangeSelection([]).isComplete)
        #expect(RangeSelection([3..<3]).isComplete)
    }
}
