internal import ByteStreams
internal import ZstdCodec

/// A Bloom filter of names: it rules out most names that are not among them.
///
/// It contains the names of a block's members and of all directories above them, as normalized by
/// `MemberPattern.plain`, and has one byte per name. A name sets five bits, derived from the halves of its XXH64: low +
/// i × high, modulo the number of bits. An empty filter rules nothing out.
struct BloomFilter {
    private static let bitsForName: UInt64 = 5
    /// The most names and directories that a filter has, and bytes of a name: each directory is hashed with all that is
    /// above it, so that a name of a hundred thousand directories would take seconds. A filter of more is empty.
    private static let (mostKeys, mostName) = (32 << 10, 4 << 10)

    private var keys: [UInt64] = []
    private var last: [UInt8] = []
    private var isOverfull = false

    static func key(of name: RawSpan) -> UInt64 { ContentChecksum.whole(of: name) }

    mutating func append(_ path: [UInt8]) {
        path.withUnsafeBytes { path in
            let range = MemberPattern.plain(path.bytes)
            isOverfull = isOverfull || range.count > Self.mostName || keys.count > Self.mostKeys
            if isOverfull {
                keys = []
                return
            }
            let name = path.bytes.extracting(range)
            // Directories shared with the last name are already in the filter.
            let shared = last.span.bytes.sameBytes(as: name)
            for end in shared..<max(shared, name.byteCount) where name[end] == UInt8(ascii: "/") {
                keys.append(Self.key(of: name.extracting(0..<end)))
            }
            keys.append(Self.key(of: name))
            last.replaceSubrange(shared..., with: path[range].dropFirst(shared))
        }
    }

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: keys.count)
        for key in keys {
            for bit in Self.bits(of: key, bytes: bytes.count) { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
        }
        return bytes
    }

    /// Whether a name with this key may be in a filter.
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
