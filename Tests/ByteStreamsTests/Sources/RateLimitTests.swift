import ByteStreams
import Testing

/// How fast a source may be read.
@Suite struct RateLimitTests {
    @Test(arguments: [1, 1000, 1 << 53, .max] as [UInt64]) func `the rate is what was asked for, and any number is one`(
        rate: UInt64
    ) {
        let limit = RateLimit(bytesPerSecond: rate)
        #expect(limit.bytesPerSecond == rate)
        limit.bytesPerSecond = 0
        #expect(limit.bytesPerSecond == 1)
    }
}
