internal import ByteStreams
internal import ZstdCodec

/// A Bloom filter of names: it rules out most names that are not among them.
///
/// It has the names of a block's members and of all directories above them, as `MemberPattern.plain` leaves them, and a
/// byte for each. A name sets five bits, by the halves of its XXH64: low + i × high, modulo the number of bits.
struct BloomFilter {
    private static let bitsForName: UInt64 = 5

    private var keys: [UInt64] = []
    private var last: [UInt8] = []

    static func key(of name: UnsafeRawBufferPointer) -> UInt64 { ContentChecksum.whole(of: name) }

    mutating func append(_ path: [UInt8]) {
        path.withUnsafeBytes { path in
            let name = MemberPattern.plain(path)
            // The filter has the directories that the last name had too.
            let shared = last.withUnsafeBytes(name.sameBytes)
            for end in shared..<max(shared, name.count) where name[end] == UInt8(ascii: "/") {
                keys.append(Self.key(of: UnsafeRawBufferPointer(rebasing: name[..<end])))
            }
            keys.append(Self.key(of: name))
            last.replaceSubrange(shared..., with: name[shared...])
        }
    }

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: keys.count)
        for key in keys {
            for bit in Self.bits(of: key, bytes: bytes.count) { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
        }
        return bytes
    }

    /// Whether a name with this key may be among those of a filter.
    static func mayHave(_ key: UInt64, _ filter: some RandomAccessCollection<UInt8>) -> Bool {
        bits(of: key, bytes: filter.count).allSatisfy { bit in
            filter[filter.index(filter.startIndex, offsetBy: bit / 8)] & 1 << UInt8(bit % 8) != 0
        }
    }

    private static func bits(of key: UInt64, bytes: Int) -> some Collection<Int> {
        let (low, high, count) = (key & 0xFFFF_FFFF, key >> 32, UInt64(bytes) * 8)
        return (0..<(count > 0 ? bitsForName : 0)).lazy.map { Int((low + $0 * high) % count) }
    }
}
