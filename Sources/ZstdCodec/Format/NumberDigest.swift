/// A digest of a list of numbers, to compare with that of another list. Any single changed number changes the digest.
///
/// Collisions can be constructed, but a false seek table does no harm.
struct NumberDigest: Equatable, Sendable {
    private var count: UInt64 = 0
    // FNV-1a on words.
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    var value: UInt64 { hash ^ count }

    mutating func append(_ number: UInt64) {
        count += 1
        hash = (hash ^ number) &* 0x100_0000_01B3
        hash ^= hash >> 32
    }
}
