import ByteStreams
import Dispatch
import StreamTestSupport
import Testing

/// How fast a source may be read.
@Suite struct RateLimitTests {
    @Test(arguments: [1, 1000, 1 << 53, Int.max]) func `the rate is what was asked for, and any number is one`(
        rate: Int
    ) {
        let limit = RateLimit(bytesPerSecond: rate)
        #expect(limit.bytesPerSecond == rate)
        limit.bytesPerSecond = 0
        #expect(limit.bytesPerSecond == 1)
    }

    @Test func `a source that stops waiting leaves its share to the others`() throws {
        let limit = RateLimit(bytesPerSecond: 1000)
        let leaving = RateLimitedSource(ScriptedSource([1, 2, 3], piece: 3), limit)
        leaving.endWaiting()
        for _ in 1...1000 { #expect(leaving.allow(50) == nil) }
        let staying = RateLimitedSource(ScriptedSource([1, 2, 3], piece: 3), limit)
        #expect(try staying.read(3, until: .now() + .seconds(5))?.count == 3)
    }
}
