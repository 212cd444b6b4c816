import Testing

@testable import ZstdCodec

struct FrameAlignmentTests {
    @Test(arguments: [64, 100, 4096, 65536], [UInt64(1), 7, 8, 9, 31, 56])
    func `nothing straddles a multiple, and what is filled is a frame`(size: Int, seed: UInt64) {
        var (placement, end, number) = (FrameAlignment(size), UInt64(0), seed)
        for _ in 0..<1000 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // All sizes that leave room for what is filled, and one that leaves none.
            let count = number >> 33 % 5 == 0 ? UInt64(size) : 1 + number >> 40 % UInt64(size - 8)
            let filling = placement.place(count)
            #expect(filling == 0 || filling >= 8)
            let start = end + UInt64(filling)
            #expect(start / UInt64(size) == (start + count - 1) / UInt64(size))
            #expect(FrameAlignment.filling(filling).count == filling)
            end = start + count
            #expect(placement.position == end)
        }
    }

    @Test(arguments: [UInt64(0), 1, 50, 92, 93, 99, 100, 101, 250])
    func `the last one ends at a multiple`(position: UInt64) {
        var placement = FrameAlignment(100)
        _ = placement.place(position)
        let filling = placement.placeLast(37)
        #expect(filling == 0 || filling >= 8)
        #expect(placement.position % 100 == 0)
    }

    @Test func `without a size nothing is filled`() {
        var placement = FrameAlignment(nil)
        for count in 1...100 as ClosedRange<UInt64> { #expect(placement.place(count) == 0) }
        #expect(placement.placeLast(5) == 0)
    }
}
