/// What a list of numbers comes down to, to be compared with another list: it does not grow with it.
///
/// A number that changed always shows. Somebody who looks for two lists that come down to the same can find them; but
/// a table that lies does no harm.
struct NumberDigest: Equatable, Sendable {
    private var count: UInt64 = 0
    // FNV-1a, by words.
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// All of it, as one number.
    var value: UInt64 { hash ^ count }

    /// - Parameter number: the next one, such as the bytes of a frame.
    mutating func append(_ number: UInt64) {
        count += 1
        hash = (hash ^ number) &* 0x100_0000_01B3
        hash ^= hash >> 32
    }
}
