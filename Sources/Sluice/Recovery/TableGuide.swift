/// Tells where the frames found in a damaged file belong, by the seek table at its end.
///
/// Bytes that were inserted or removed shift the frames, and the table itself may be damaged: a frame is recognised by
/// its sizes and its checksum, and only then by the frames that follow it and by its place.
struct TableGuide {
    struct Found {
        let input: Range<UInt64>
        /// Bytes, if its header says so; 0 if it is skippable.
        let contentSize: UInt64?
        let checksum: UInt32?

        func isLike(_ other: Found) -> Bool {
            input.count == other.input.count && contentSize == other.contentSize && checksum == other.checksum
        }
    }

    /// How far frames lie after their listed places, as frames that follow them tell.
    struct Bearing {
        let shift: Int64
        /// Whether it is that of a frame like one entry only: otherwise it is the least one possible.
        let isSure: Bool
    }

    /// As many frames are not like the first entries by chance, as one of a run of like frames is.
    private static let sureStart = 4

    private let index: FrameIndex
    /// Where the first frame of the table is expected: after those of other streams.
    private var base: UInt64
    /// Where the table begins.
    private let tableStart: UInt64
    /// Whether no other stream is in front, and the file begins with a frame like the first entry.
    private let beginsFile: Bool
    private let isUniform: Bool
    /// The entry that comes next, and how many bytes frames lie after the listed places.
    private var next = 0
    private(set) var shift: Int64
    /// The frame of each entry from here to `next` was found.
    private var firstFound = 0
    /// Whether a listed frame with content was found; until then all frames may be those of other streams.
    private var hasBegun = false
    /// Whether the last frame is that of the entry before `next`, or there was none.
    private var isAligned = true
    /// Whether a frame was found in another place than the table lists it.
    private(set) var isReordered = false
    private let alike: AlikeEntries

    /// Nil if no table ends the file.
    init?(_ window: FileWindow, _ limits: DecodingLimits) throws(Failure) {
        let file = window.file
        guard let (table, tableSize) = try Self.table(in: window), let index = FrameIndex(table) else { return nil }
        self.index = index
        alike = AlikeEntries(index)
        let listed = index.inputSize + tableSize
        // A table that lists more than files can hold is not believed.
        guard listed / 2 <= file.size, Self.isCredible(table) else { return nil }
        let before = file.size - min(listed, file.size)
        let beginsFile = try Self.begins(index, 1, at: 0, in: window)
        let isBehindTable = try window.tableSize(endingAt: before) != nil
        let isBehindOthers =
            try beginsFile
            ? Self.begins(index, Self.sureStart, at: before, in: window) : FrameHunt.isStart(before, in: window, limits)
        base = isBehindTable || isBehindOthers ? before : 0
        shift = Int64(clamping: base)
        tableStart = file.size - tableSize
        isUniform = table.hasUniformContent
        self.beginsFile = base == 0 && beginsFile
    }

    /// Whether from `base` on no byte is inserted or missing, as the table tells.
    private var isComplete: Bool { base + index.inputSize == tableStart }

    /// Whether the file's size, or all the table's frames, confirm the table: then only what it lists is a frame.
    private var isSound: Bool { isUniform || isComplete }

    /// How many bytes the table itself lies after the frames that it lists: what follows all damage is shifted by that.
    var finalShift: Int64 { Int64(clamping: tableStart) - Int64(clamping: index.inputSize) }

    /// The most bytes that it takes, and took while the table was read.
    var memory: Int { index.memory + index.count * (24 + AlikeEntries.entryMemory) }

    /// Whether the table lists a frame that does not follow the last one; nil if that is unknown.
    func lists(_ found: Found) -> Bool? {
        guard found.input.lowerBound >= base else { return nil }
        if position(of: found) != nil { return true }
        return isSound ? false : nil
    }

    /// What a frame tells of those before it in its chain; nil if the table does not list it.
    func bearing(of found: Found) -> Bearing? {
        guard found.input.lowerBound >= base else { return nil }
        let only = alike.only(like: found)
        guard let position = only ?? alike.first(like: found, from: isAligned ? next : 0) else { return nil }
        let shift = Int64(clamping: found.input.lowerBound) - Int64(clamping: index[position].input.lowerBound)
        return Bearing(shift: shift, isSure: only != nil)
    }

    /// What the table tells of the frames before it.
    var finalBearing: Bearing { Bearing(shift: finalShift, isSure: true) }

    /// Whether the content of a frame that does not follow the last one is already there: the frame is a copy, or one
    /// like it was taken for it.
    func repeats(_ found: Found, shiftedBy shift: Int64) -> Bool {
        guard isSound, isAligned, found.checksum != nil, let position = position(of: found, shiftedBy: shift)
        else { return false }
        return index[position].checksum != nil && (firstFound..<next).contains(position)
    }

    /// Assigns the next frame to an entry.
    ///
    /// - Parameters:
    ///   - end: where the last frame ended.
    ///   - bearing: what the frames that follow tell.
    /// - Returns: the content between the last frame and this one, and bytes of its own; nil if they are unknown.
    mutating func place(
        _ found: Found, after end: UInt64, _ bearing: Bearing? = nil
    ) -> (skipped: Claim?, contentSize: UInt64?) {
        guard found.input.lowerBound >= base else { return (nil, nil) }
        if isAligned, found.input.lowerBound == end, next < index.count {
            if agrees(next, found) { return take(next, found, after: end) }
            // Before the first listed frame, those of another stream may have been passed over.
            let mayBeFirst = !hasBegun && !isComplete && found.contentSize != 0
            let isOfOthers = next == 0 && !isComplete && !beginsFile
            if let position = position(of: found), position < next ? mayBeFirst : contradicts(next, found) {
                return take(position, found, after: end)
            }
            if !isOfOthers { passOver(found) }
            return (nil, nil)
        }
        guard let position = position(of: found, bearing) else {
            isAligned = false
            return (nil, nil)
        }
        return take(position, found, after: end)
    }

    /// Notes the seek table of another stream: none of the frames up to there is listed, unless the table is, too.
    mutating func startOver(after table: Found) {
        if expects(table) {
            _ = take(next, table, after: table.input.lowerBound)
            return
        }
        base = max(base, table.input.upperBound)
        (next, firstFound, shift) = (0, 0, Int64(clamping: base))
        (hasBegun, isAligned, isReordered) = (false, true, false)
    }

    /// Assigns a frame to the next entry, which is most likely damaged.
    mutating func passOver(_ found: Found) {
        guard next < index.count else { return }
        if !agrees(next, found), found.checksum != nil, alike.only(like: found) != nil { isReordered = true }
        shift += Int64(found.input.count) - Int64(index[next].input.count)
        next += 1
        firstFound = next
    }

    /// The number of frames listed after the last one; nil if its entry is unknown.
    var remaining: Int? { isAligned ? index.count - next : nil }

    /// Whether a frame is certainly that of one entry, and not of others that are like it.
    func isSure(of found: Found) -> Bool { isComplete || alike.only(like: found) != nil }

    /// Whether the next entry describes a frame.
    func expects(_ found: Found) -> Bool { next < index.count && agrees(next, found) }

    /// The content listed after the last frame; nil if it is unknown.
    ///
    /// - Parameter end: where the last frame ended; nil if the table follows it directly.
    func rest(after end: UInt64? = nil) -> Claim? {
        skipped(before: index.count, at: tableStart, after: end ?? tableStart)
    }

    /// Where the content of the next entry begins.
    private var contentOffset: UInt64 { next > 0 ? index[next - 1].content.upperBound : 0 }

    private mutating func take(
        _ position: Int, _ found: Found, after end: UInt64
    ) -> (skipped: Claim?, contentSize: UInt64?) {
        let entry = index[position]
        let skipped = skipped(before: position, at: found.input.lowerBound, after: end)
        if !isAligned || position != next { firstFound = position }
        next = position + 1
        // By the frame's end: its own entry may have a wrong size.
        shift = Int64(clamping: found.input.upperBound) - Int64(clamping: entry.input.upperBound)
        isAligned = true
        // Skippable frames of all streams are alike.
        if found.contentSize != 0 { hasBegun = true }
        return (skipped, UInt64(entry.content.count))
    }

    /// The content between the end of the last frame and an entry, or the table; nil if nothing of it is known.
    ///
    /// The table knows what was between its frames, but not what was in front of the first one.
    ///
    /// - Parameters:
    ///   - place: where the entry's frame, or the table, was found.
    ///   - end: where the last frame ended.
    private func skipped(before position: Int, at place: UInt64, after end: UInt64) -> Claim? {
        let isEntry = position < index.count
        let content = isEntry ? index[position].content.lowerBound : index.contentSize
        if hasBegun || isComplete && end >= base || end == place {
            return isAligned && position >= next ? .exactly(content - contentOffset) : nil
        }
        // No listed frame was found so far: all content up to the entry is lost. No other content is lost if the listed
        // bytes leave no room for it, or if they begin with the file: then bytes were inserted.
        let listed = isEntry ? index[position].input.lowerBound : index.inputSize
        let isAll = end + listed == place || end == 0 && (listed > place || beginsFile && position > 0)
        return isAll || content > 0 ? Claim(size: content, isExact: isAll) : nil
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

    /// The entry of a frame: at its place, or one that is like it.
    ///
    /// - Parameter bearing: what the frames that follow tell.
    private func position(of found: Found, _ bearing: Bearing? = nil) -> Int? {
        let least = isAligned ? next : 0
        if let bearing, bearing.isSure || shift != finalShift,
            let position = position(of: found, shiftedBy: bearing.shift), bearing.isSure || position >= least
        {
            return position
        }
        let placed = [shift, finalShift].compactMap { position(of: found, shiftedBy: $0) }.filter { $0 >= least }.min()
        // Where bytes were inserted or removed, one of several frames may be found at the place of another. With the
        // same checksum they have the same content: the first leaves enough entries for all frames that follow.
        if shift != finalShift || placed == nil, found.checksum != nil, index[0].checksum != nil,
            let first = alike.first(like: found, from: least)
        {
            return first
        }
        if let position = placed ?? nearest(to: found, from: least) { return position }
        return isAligned && expects(found) ? next : alike.last(like: found, before: least)
    }

    private func position(of found: Found, shiftedBy shift: Int64) -> Int? {
        let place = Int64(clamping: found.input.lowerBound) - shift
        guard place >= 0, let position = index.position(ofInput: UInt64(place)),
            index[position].input.lowerBound == UInt64(place), agrees(position, found)
        else { return nil }
        return position
    }

    /// The entry like a frame that is nearest to its place.
    private func nearest(to found: Found, from least: Int) -> Int? {
        let place = UInt64(clamping: Int64(clamping: found.input.lowerBound) - shift)
        let behind = index.position(ofInput: place).map { $0 + 1 } ?? index.count
        let around = [alike.last(like: found, before: behind), alike.first(like: found, from: max(least, behind))]
        return around.compactMap { $0 }.filter { $0 >= least }.min { distance($0, place) < distance($1, place) }
    }

    private func distance(_ position: Int, _ place: UInt64) -> UInt64 {
        let start = index[position].input.lowerBound
        return max(start, place) - min(start, place)
    }
}
