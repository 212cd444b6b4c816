/// Finds the entries of a seek table that a frame may be, by its sizes and its checksum.
///
/// They are sorted when that is first needed. A class keeps them even where a guess about a frame is taken back.
final class AlikeEntries {
    private struct Key: Comparable {
        let sizes: UInt64
        /// 0 if it does not count.
        let checksum: UInt32
        let position: UInt32

        static func < (first: Key, second: Key) -> Bool {
            (first.sizes, first.checksum, first.position) < (second.sizes, second.checksum, second.position)
        }

        func isLike(_ other: Key) -> Bool { sizes == other.sizes && checksum == other.checksum }
    }

    /// The most bytes of memory for an entry.
    static let entryMemory = 2 * MemoryLayout<Key>.stride

    private let index: FrameIndex
    private lazy var byChecksum = sorted(withChecksums: true)
    /// For frames without checksums, which a table with checksums may list.
    private lazy var bySizes = sorted(withChecksums: false)

    init(_ index: FrameIndex) { self.index = index }

    /// The first entry like a frame from a position on.
    func first(like found: TableGuide.Found, from position: Int = 0) -> Int? {
        guard let (keys, key) = keys(for: found, from: position) else { return nil }
        let place = keys.firstPosition { $0 >= key }
        return place < keys.count && keys[place].isLike(key) ? Int(keys[place].position) : nil
    }

    /// The last entry like a frame in front of a position.
    func last(like found: TableGuide.Found, before position: Int) -> Int? {
        guard let (keys, key) = keys(for: found, from: position) else { return nil }
        let place = keys.firstPosition { $0 >= key } - 1
        return place >= 0 && keys[place].isLike(key) ? Int(keys[place].position) : nil
    }

    /// The entry like a frame, if there is just one.
    func only(like found: TableGuide.Found) -> Int? {
        guard let first = first(like: found) else { return nil }
        return self.first(like: found, from: first + 1) == nil ? first : nil
    }

    /// Sorted keys, and that of a frame among them; nil if the frame does not tell its sizes.
    private func keys(for found: TableGuide.Found, from position: Int) -> (keys: [Key], key: Key)? {
        guard let contentSize = found.contentSize, max(UInt64(found.input.count), contentSize) <= UInt32.max else {
            return nil
        }
        let checksum = index[0].checksum == nil ? nil : found.checksum
        let key = Key(
            sizes: UInt64(found.input.count) << 32 | contentSize, checksum: checksum ?? 0, position: UInt32(position))
        return (checksum == nil ? bySizes : byChecksum, key)
    }

    private func sorted(withChecksums: Bool) -> [Key] {
        var keys = (0..<index.count).map { position in
            let entry = index[position]
            return Key(
                sizes: UInt64(entry.input.count) << 32 | UInt64(entry.content.count),
                checksum: withChecksums ? entry.checksum ?? 0 : 0, position: UInt32(position))
        }
        keys.sort()
        return keys
    }
}
