/// Tells where the frames found in a damaged file belong, by the seek table at its end.
///
/// Bytes that were inserted or removed shift the frames, and the table itself may be damaged: a frame is recognised by
/// its sizes and its checksum, and only then by its place.
struct TableGuide {
    private let index: FrameIndex
    /// Where the first frame of the table is expected: after those of other streams.
    private let base: UInt64
    /// Whether the file's size, or all the table's frames, confirm the table: then only what it lists is a frame.
    let isSound: Bool
    /// The entry that comes next, and how many bytes frames lie after the listed places.
    private var next = 0
    private var shift: Int64
    /// Whether the last frame is that of the entry before `next`, or there was none.
    private var isAligned = true
    /// Entries by their sizes; nil until they are needed.
    private var entriesBySize: [(key: UInt64, position: Int)]?

    /// Nil if no table ends the file.
    init?(_ window: FileWindow, _ limits: DecodingLimits) throws(Failure) {
        let file = window.file
        guard let (table, tableSize) = try Self.table(in: window), let index = FrameIndex(table) else { return nil }
        self.index = index
        let listed = index.inputSize + tableSize
        // A table that lists more than files can hold is not believed.
        guard listed / 2 <= file.size, Self.isCredible(table) else { return nil }
        let before = file.size - min(listed, file.size)
        let isBehindOthers = before > 0 ? try FrameHunt.isStart(before, in: window, limits) : false
        base = isBehindOthers ? before : 0
        shift = Int64(clamping: base)
        isSound = table.hasUniformContent || listed + base == file.size
    }

    /// The most bytes that it takes, and took while the table was read.
    var memory: Int { index.memory + index.count * (24 + MemoryLayout<(UInt64, Int)>.stride) }

    private static func table(in window: FileWindow) throws(Failure) -> (SeekTable, UInt64)? {
        let file = window.file
        guard let size = try window.tableSize(), size < file.size, size <= SeekTable.largestHeld else { return nil }
        let encoded = try FileWindow(file, size: Int(size))
        return SeekTable(try encoded.bytes(at: file.size - size, atLeast: size)).map { ($0, size) }
    }

    /// Whether the listed frames can have their content: four bytes become at most 128 KiB.
    private static func isCredible(_ table: SeekTable) -> Bool {
        !table.entries.isEmpty
            && table.entries.allSatisfy { UInt64($0.decompressedSize) <= (UInt64($0.compressedSize) / 4 + 1) << 17 }
    }

    struct Found {
        let input: Range<UInt64>
        /// Bytes, if its header says so; 0 if it is skippable.
        let contentSize: UInt64?
        let checksum: UInt32?
    }

    /// Whether the table lists a frame that does not follow the last one; nil if that is unknown.
    mutating func lists(_ found: Found) -> Bool? {
        guard found.input.lowerBound >= base else { return nil }
        if position(of: found) != nil { return true }
        return isSound ? false : nil
    }

    /// Assigns the next frame to an entry.
    ///
    /// - Parameter isBehindLast: whether it follows the last one directly.
    /// - Returns: bytes of content between the last frame and this one, and its own; nil if they are unknown.
    mutating func place(_ found: Found, isBehindLast: Bool) -> (skipped: UInt64?, contentSize: UInt64?) {
        guard found.input.lowerBound >= base else { return (nil, nil) }
        if isAligned, isBehindLast, next < index.count {
            if agrees(next, found) { return take(next, found) }
            if contradicts(next, found), let position = position(of: found), position > next {
                return take(position, found)
            }
            passOver(found)
            return (nil, nil)
        }
        guard let position = position(of: found) ?? (isAligned && expects(found) ? next : nil) else {
            isAligned = false
            return (nil, nil)
        }
        return take(position, found)
    }

    /// Assigns a frame to the next entry, which is most likely damaged.
    mutating func passOver(_ found: Found) {
        guard next < index.count else { return }
        shift += Int64(found.input.count) - Int64(index[next].input.count)
        next += 1
    }

    /// The number of frames listed after the last one; nil if its entry is unknown.
    var remaining: Int? { isAligned ? index.count - next : nil }

    /// Whether the next entry describes a frame.
    func expects(_ found: Found) -> Bool { next < index.count && agrees(next, found) }

    /// Bytes of content after the last frame; nil if its entry is unknown.
    var rest: UInt64? { isAligned ? index.contentSize - contentOffset : nil }

    /// Where the content of the next entry begins.
    private var contentOffset: UInt64 { next > 0 ? index[next - 1].content.upperBound : 0 }

    private mutating func take(_ position: Int, _ found: Found) -> (skipped: UInt64?, contentSize: UInt64?) {
        let entry = index[position]
        let skipped = isAligned && position >= next ? entry.content.lowerBound - contentOffset : nil
        next = position + 1
        // By the frame's end: its own entry may have a wrong size.
        shift = Int64(clamping: found.input.upperBound) - Int64(clamping: entry.input.upperBound)
        isAligned = true
        return (skipped, UInt64(entry.content.count))
    }

    private func agrees(_ position: Int, _ found: Found) -> Bool {
        let entry = index[position]
        let hasSize = entry.input.count == found.input.count
        let hasContent = found.contentSize.map { $0 == UInt64(entry.content.count) } ?? true
        // Many frames share a size, few a checksum.
        guard let checksum = entry.checksum, let own = found.checksum else { return hasSize && hasContent }
        return checksum == own && (hasSize || hasContent)
    }

    /// Whether a frame is none of an entry, by its checksum, or by both its sizes if there is none.
    private func contradicts(_ position: Int, _ found: Found) -> Bool {
        guard isSound else { return false }
        let entry = index[position]
        if let checksum = entry.checksum, let own = found.checksum { return checksum != own }
        return entry.input.count != found.input.count && found.contentSize != UInt64(entry.content.count)
    }

    /// The entry of a frame, by its place or its sizes.
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

    /// The number of entries of the same sizes that are compared, on either side of the place.
    private static let mostAlike = 64

    private static func nearest(
        to place: Int64, of key: UInt64, in entries: [(key: UInt64, position: Int)], _ index: FrameIndex,
        where matches: (FrameIndex.Entry) -> Bool
    ) -> Int? {
        let first = entries.firstPosition { entry in
            (entry.key, Int64(clamping: index[entry.position].input.lowerBound)) >= (key, place)
        }
        let around = max(0, first - mostAlike)..<min(entries.count, first + mostAlike)
        return around.map { entries[$0] }.filter { $0.key == key && matches(index[$0.position]) }
            .map(\.position)
            .min { distance($0, place, index) < distance($1, place, index) }
    }

    private static func distance(_ position: Int, _ place: Int64, _ index: FrameIndex) -> UInt64 {
        (Int64(clamping: index[position].input.lowerBound) - place).magnitude
    }
}
