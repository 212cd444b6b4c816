internal import ZstdCodec

/// Where frames belong that were found in a damaged file, as the seek table at its end says.
///
/// What was inserted or removed shifts them, and the table itself may be damaged: a frame is known by its sizes and its
/// checksum, and only then by its place.
struct TableGuide {
    /// A table for some TiB; a larger one is not held, in bytes.
    private static let largestTable: UInt64 = 16 << 20

    private let index: FrameIndex
    /// Where the first frame of the table is expected: behind those of other streams.
    private let base: UInt64
    /// Whether the table says the same as the file's size, or as all its frames: then only what it lists is a frame.
    let isSound: Bool
    /// The entry that comes next, and by how many bytes frames are further on than it says.
    private var next = 0
    private var shift: Int64
    /// Whether the frame before was the one before `next`, or there was none.
    private var isAligned = true
    /// Entries by their sizes, once they were needed.
    private var entriesBySize: [(key: UInt64, position: Int)]?

    /// Nil if no table ends the file.
    ///
    /// - Parameter isStart: whether a frame begins there.
    init?(_ file: DamagedFile, isStart: (UInt64) throws(Failure) -> Bool) throws(Failure) {
        guard let (table, tableSize) = try Self.table(of: file), let index = FrameIndex(table) else { return nil }
        self.index = index
        let listed = index.inputSize + tableSize
        // Of a table that says more than files can be nothing is believed.
        guard listed / 2 <= file.size, Self.isCredible(table) else { return nil }
        let before = file.size - min(listed, file.size)
        let isBehindOthers = before > 0 ? try isStart(before) : false
        base = isBehindOthers ? before : 0
        shift = Int64(clamping: base)
        let sizes = table.entries.lazy.map(\.decompressedSize).filter { $0 > 0 }
        let isUniform = sizes.dropLast().allSatisfy { $0 == sizes.first } && sizes.last ?? 0 <= sizes.first ?? 0
        isSound = isUniform || listed + base == file.size
    }

    /// Bytes that it takes, and took while the table was read.
    var memory: Int { index.memory + index.count * (24 + MemoryLayout<(UInt64, Int)>.stride) }

    private static func table(of file: DamagedFile) throws(Failure) -> (SeekTable, UInt64)? {
        let footerSize = UInt64(SeekTable.footerSize)
        guard file.size > footerSize else { return nil }
        let end = try FileWindow(file, size: SeekTable.footerSize)
        let footer = try end.bytes(at: file.size - footerSize, atLeast: footerSize)
        guard let size = SeekTable.encodedSize(footer: footer), size < file.size, size <= largestTable else {
            return nil
        }
        let encoded = try FileWindow(file, size: Int(size))
        return SeekTable(try encoded.bytes(at: file.size - size, atLeast: size)).map { ($0, size) }
    }

    /// Whether frames of these sizes can have so much content: four bytes become 128 KiB at most.
    private static func isCredible(_ table: SeekTable) -> Bool {
        !table.entries.isEmpty
            && table.entries.allSatisfy { UInt64($0.decompressedSize) <= (UInt64($0.compressedSize) / 4 + 1) << 17 }
    }

    /// A frame that was found.
    struct Found {
        let input: Range<UInt64>
        /// Bytes, if its header says it; 0 if it is skippable.
        let contentSize: UInt64?
        /// The checksum at its end, if it has one.
        let checksum: UInt32?
    }

    /// Whether a frame that was found far from the last one is one of the file's.
    mutating func accepts(_ found: Found) -> Bool {
        !isSound || found.input.lowerBound < base || position(of: found) != nil
    }

    /// Takes note of the next frame.
    ///
    /// - Parameter isBehindLast: whether nothing lies between it and the one before.
    /// - Returns: bytes of content between the one before and it, and its own; nil for what is not known.
    mutating func place(_ found: Found, isBehindLast: Bool) -> (skipped: UInt64?, contentSize: UInt64?) {
        guard found.input.lowerBound >= base else { return (nil, nil) }
        if isAligned, next < index.count, agrees(next, found) { return take(next, found, skipped: 0) }
        if isAligned, isBehindLast, next < index.count {
            if contradicts(next, found), let position = position(of: found), position > next {
                return take(position, found, skipped: index[position].content.lowerBound - contentOffset)
            }
            passOver(found)
            return (nil, nil)
        }
        guard let position = position(of: found) else {
            isAligned = false
            return (nil, nil)
        }
        let isAhead = isAligned && position >= next
        return take(
            position, found,
            skipped: isAhead ? index[position].content.lowerBound - contentOffset : nil)
    }

    /// Takes the frame for that of the next entry, which is most likely damaged.
    mutating func passOver(_ found: Found) {
        guard next < index.count else { return }
        shift += Int64(found.input.count) - Int64(index[next].input.count)
        next += 1
    }

    /// Frames that are listed behind the last one that was found; nil if it is not known which that was.
    var remaining: Int? { isAligned ? index.count - next : nil }

    /// Whether the next entry is that of a frame.
    func expects(_ found: Found) -> Bool { next < index.count && agrees(next, found) }

    /// Bytes of content behind the last frame that was found; nil if that is not known.
    var rest: UInt64? { isAligned ? index.contentSize - contentOffset : nil }

    /// Where the content of the next entry begins.
    private var contentOffset: UInt64 { next > 0 ? index[next - 1].content.upperBound : 0 }

    private mutating func take(
        _ position: Int, _ found: Found, skipped: UInt64?
    ) -> (skipped: UInt64?, contentSize: UInt64?) {
        let entry = index[position]
        next = position + 1
        // Of the place where it ends: its own entry may have a wrong size.
        shift = Int64(clamping: found.input.upperBound) - Int64(clamping: entry.input.upperBound)
        isAligned = true
        return (skipped, UInt64(entry.content.count))
    }

    private func agrees(_ position: Int, _ found: Found) -> Bool {
        let entry = index[position]
        let hasSize = entry.input.count == found.input.count
        let hasContent = found.contentSize.map { $0 == UInt64(entry.content.count) } ?? true
        // Frames of one size are many, and of one checksum few.
        guard let checksum = entry.checksum, let own = found.checksum else { return hasSize && hasContent }
        return checksum == own && (hasSize || hasContent)
    }

    /// Whether a frame can't be the one of an entry, even if one number of it is damaged.
    private func contradicts(_ position: Int, _ found: Found) -> Bool {
        let entry = index[position]
        guard isSound, let checksum = entry.checksum, let own = found.checksum else { return false }
        return checksum != own && entry.input.count != found.input.count
    }

    /// The entry that a frame is: by its place, or by its sizes.
    private mutating func position(of found: Found) -> Int? {
        let place = Int64(clamping: found.input.lowerBound) - shift
        if place >= 0, let position = index.position(ofInput: UInt64(place)),
            index[position].input.lowerBound == UInt64(place), agrees(position, found)
        {
            return position
        }
        guard let contentSize = found.contentSize, let key = Self.key(UInt64(found.input.count), contentSize) else {
            return nil
        }
        let entries = entriesBySize ?? sorted()
        entriesBySize = entries
        return Self.nearest(to: place, of: key, in: entries, index) { entry in
            entry.checksum == nil || found.checksum == nil || entry.checksum == found.checksum
        }
    }

    private func sorted() -> [(key: UInt64, position: Int)] {
        (0..<index.count).compactMap { position in
            let entry = index[position]
            return Self.key(UInt64(entry.input.count), UInt64(entry.content.count)).map { ($0, position) }
        }
        .sorted { ($0.key, $0.position) < ($1.key, $1.position) }
    }

    private static func key(_ inputSize: UInt64, _ contentSize: UInt64) -> UInt64? {
        max(inputSize, contentSize) <= UInt32.max ? inputSize << 32 | contentSize : nil
    }

    /// So many entries of the same sizes are looked at around the place.
    private static let mostAlike = 64

    private static func nearest(
        to place: Int64, of key: UInt64, in entries: [(key: UInt64, position: Int)], _ index: FrameIndex,
        where matches: (FrameIndex.Entry) -> Bool
    ) -> Int? {
        let isBefore = { (entry: (key: UInt64, position: Int)) in
            (entry.key, Int64(clamping: index[entry.position].input.lowerBound)) < (key, place)
        }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(entries[middle]) { low = middle + 1 } else { high = middle }
        }
        let around = max(0, low - mostAlike)..<min(entries.count, low + mostAlike)
        return around.map { entries[$0] }.filter { $0.key == key && matches(index[$0.position]) }
            .map(\.position)
            .min { distance($0, place, index) < distance($1, place, index) }
    }

    private static func distance(_ position: Int, _ place: Int64, _ index: FrameIndex) -> UInt64 {
        (Int64(clamping: index[position].input.lowerBound) - place).magnitude
    }
}
