/// What a list of frame sizes comes down to, to be compared with another list: it does not grow with it.
///
/// Somebody who looks for two lists that come down to the same can find them; but a table that lies does no harm.
struct SizeDigest: Equatable, Sendable {
    private var count: UInt64 = 0
    // FNV-1a, by words.
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// - Parameter size: bytes of the next frame.
    mutating func append(_ size: UInt64) {
        count += 1
        hash = (hash ^ size) &* 0x100_0000_01B3
        hash ^= hash >> 32
    }
}
