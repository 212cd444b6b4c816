/// A digest of a list of numbers, to be compared with that of another list: any single number that changed shows.
///
/// Collisions can be constructed, but a seek table that lies does no harm.
struct NumberDigest: Equatable, Sendable {
    private var count: UInt64 = 0
    // FNV-1a, by words.
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    var value: UInt64 { hash ^ count }

    mutating func append(_ number: UInt64) {
        count += 1
        hash = (hash ^ number) &* 0x100_0000_01B3
        hash ^= hash >> 32
    }
}
