import StreamTestSupport
import Testing

@testable import ByteStreams

struct ZeroRunsTests {
    @Test(arguments: [0, 1, 4095, 4096, 50_000], [0, 4096, 100_000, 1 << 20])
    func `holes hold nothing but zeros, and as many as lie in whole blocks`(before: Int, zeros: Int) {
        let words = [UInt8](repeating: 1, count: before)
        let bytes = words + [UInt8](repeating: 0, count: zeros) + [1]
        let holes = Bytes(bytes).zeroRuns
        for hole in holes { #expect(bytes[hole].allSatisfy { $0 == 0 } && hole.count >= ZeroRuns.shortest) }
        let missed = zeros - holes.map(\.count).reduce(0, +)
        #expect(missed <= max(ZeroRuns.shortest - 1, 2 * 4096))
        #expect(holes.count <= 1)
    }

    @Test func `what has no zeros has no holes`() {
        #expect(Bytes(sample(1 << 20)).zeroRuns.isEmpty)
        #expect(Bytes().zeroRuns.isEmpty)
    }
}
