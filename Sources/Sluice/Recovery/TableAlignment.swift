/// Aligns the frames found in a damaged file with the entries of the seek table at its end.
///
/// Frames that follow one another all lie equally far after their listed places. That *shift* is told by the first of
/// them that is like one entry only, or by the table itself; where none is, the table's own shift is taken if all of
/// them fit it, or else that with which they fit the earliest entries. A frame is that of the entry at its place minus
/// the shift: what the table lists in front of it, and was not found, is lost.
struct TableAlignment {
    /// What the table tells of a frame.
    struct Place {
        /// The content that is lost in front of it; nil if that is unknown.
        var lost: Claim?
        /// Bytes of its own content.
        var contentSize: UInt64?
        /// Whether its content is already there.
        var isCopy = false
    }

    /// Entries that are tried for frames of which each is like several: nearly always the first one fits.
    private static let mostGuesses = 16

    private let index: FrameIndex
    private let alike: AlikeEntries
    /// Where the table begins.
    private let tableStart: UInt64
    private let isUniform: Bool
    /// No listed frame begins before it: other streams do.
    private var base: UInt64
    /// How many bytes frames lie after their listed places; nil where that is unknown.
    private(set) var shift: Int64?
    /// The last entries whose frames were found one after another; the next entry comes after them.
    private var found = 0..<0
    /// Whether a listed frame with content was found; until then all frames may be those of other streams.
    private var hasBegun = false
    /// The frames from here on may tell another shift: those before it have been asked.
    private var asked: UInt64 = 0
    /// Bytes of content that were found since then, or are known to be lost.
    private var known: UInt64 = 0
    /// Whether a frame was found in another place than the table lists it.
    private(set) var isReordered = false
    /// The entries whose frames were found, wherever they stand: the content of a copy is not that of another entry.
    private var counted: [Bool]

    /// Nil if no credible table ends the file.
    init?(_ window: FileWindow) throws(Failure) {
        guard let (table, tableSize) = try Self.table(in: window), let index = FrameIndex(table) else { return nil }
        self.index = index
        alike = AlikeEntries(index)
        counted = [Bool](repeating: false, count: index.count)
        isUniform = table.hasUniformContent
        tableStart = window.file.size - tableSize
        base = try Self.start(of: index, before: tableStart, in: window)
        shift = Int64(base)
    }

    /// How many bytes the table itself lies after the frames that it lists: what follows all damage is shifted by that.
    private var finalShift: Int64 { Int64(tableStart) - Int64(index.inputSize) }

    /// Whether only what the table lists is a frame: its frames, or the file's size, confirm it.
    private var isSound: Bool { isUniform || finalShift == Int64(base) }

    /// Whether the table lists a frame; nil if that is unknown.
    func lists(_ frame: FoundFrame) -> Bool? {
        guard frame.input.lowerBound >= base else { return nil }
        if !alike.entries(like: frame).isEmpty { return true }
        return isSound && Int64(frame.input.lowerBound) >= finalShift ? false : nil
    }

    /// The shift that a frame tells if only one entry is like it, or if it is the table.
    func shiftTold(by frame: FoundFrame) -> Int64? {
        if frame.input.lowerBound == tableStart { return finalShift }
        // Skippable frames of all streams are alike.
        guard frame.contentSize != 0, let position = alike.onlyEntry(like: frame) else { return nil }
        return shift(of: frame, at: position)
    }

    /// Whether the frames after a frame need not be looked at to place it.
    ///
    /// - Parameter end: where the frame before it ended.
    func expects(_ frame: FoundFrame, after end: UInt64) -> Bool {
        if frame.input.lowerBound < base { return true }
        guard frame.input.lowerBound == end else { return false }
        if frame.input.lowerBound < asked || fits(frame, shift) || isFirst(frame) { return true }
        return !hasBegun && alike.entries(like: frame).isEmpty
    }

    /// Assigns a frame to an entry.
    ///
    /// - Parameters:
    ///   - run: the frames that follow one another from it on; empty if they were not looked at.
    ///   - end: where the last frame ended.
    ///   - head: the content size in a header that begins there.
    mutating func place(_ frame: FoundFrame, _ run: [FoundFrame], after end: UInt64, head: UInt64?) -> Place {
        guard frame.input.lowerBound >= base else { return Place() }
        let before = shift
        let isGuess = turn(to: run, after: end)
        if frame.input.lowerBound == end, isFirst(frame) { shift = Int64(end) }
        guard let shift else { return Place() }
        let position = position(at: Int64(frame.input.lowerBound) - shift)
        let agrees = fits(frame, shift)
        if end < frame.input.lowerBound, agrees, isChecked(frame), found.contains(position) {
            return Place(isCopy: true)
        }
        let isListed = agrees || hasBegun && self.shift(of: frame, at: position) == shift && hasSize(frame, position)
        var lost = lost(before: position, frame, after: end, shiftBefore: before, head: head)
        if !isListed || isGuess { lost?.isExact = false }
        if !isListed, !hasBegun || end == frame.input.lowerBound { lost = nil }
        note(frame, position, isListed: isListed, agrees: agrees)
        let contentSize = isListed ? contentStart(position + 1) - contentStart(position) : nil
        if hasBegun || finalShift == Int64(base) {
            known += lost?.size ?? 0
            if count(frame, agrees ? position : nil) { known += contentSize ?? frame.contentSize ?? 0 }
        }
        if agrees, position == index.count, isReordered, known < index.contentSize {
            lost = Claim(size: index.contentSize - known + (lost?.size ?? 0))
        }
        return Place(lost: lost, contentSize: contentSize)
    }

    /// The content listed after the last frame, if the rest of the file is lost, and perhaps the table.
    mutating func rest(after end: UInt64) -> Claim? {
        let table = FoundFrame(input: tableStart..<tableStart, contentSize: 0, checksum: nil)
        return place(table, [table], after: end, head: nil).lost
    }

    /// Whether a frame is that of the next entry, as another stream's seek table is not.
    func isNext(_ frame: FoundFrame) -> Bool { hasBegun && fits(frame, shift) }

    /// Notes that the seek table of another stream ends somewhere: none of the frames up to there is listed.
    mutating func startOver(at end: UInt64) {
        base = max(base, end)
        (shift, found, asked) = (Int64(base), 0..<0, 0)
        (hasBegun, known, isReordered) = (false, 0, false)
        counted = [Bool](repeating: false, count: index.count)
    }

    /// Takes the shift that a run of frames tells.
    ///
    /// - Returns: whether frames of other content may be those that it is taken from.
    private mutating func turn(to run: [FoundFrame], after end: UInt64) -> Bool {
        guard let first = run.first, let last = run.last else { return false }
        let shifts = run.compactMap { shiftTold(by: $0) }
        guard first.input.lowerBound == end else {
            shift = shifts.first ?? guess(run)
            return shifts.isEmpty && !isChecked(first) && shift != finalShift
        }
        // Frames may stand in another order, and entries may be wrong: the shift only moves towards that of the last.
        let final = shifts.last ?? shift
        let told = shifts.first { told in
            guard let shift, let final else { return true }
            return told >= min(shift, final) && told <= max(shift, final)
        }
        if fits(first, told) { shift = told }
        asked = run.first { fits($0, shift) || fits($0, told) }?.input.lowerBound ?? last.input.upperBound
        return false
    }

    /// The shift with which frames that are like several entries each fit the table: as nothing is missing after them,
    /// or for the earliest entries.
    private func guess(_ run: [FoundFrame]) -> Int64? {
        guard let first = run.first else { return nil }
        // With the same checksum they have the same content, and the earliest entries leave enough for what follows.
        let least = isChecked(first) ? 0 : Int64(first.input.lowerBound) - max(shift ?? 0, finalShift)
        let earliest = max(found.upperBound, position(at: least))
        let entries = alike.entries(like: first)
        let tried = entries[entries.firstPosition { $0.position >= earliest }...].prefix(Self.mostGuesses)
        return ([finalShift] + tried.map { shift(of: first, at: $0.position) }).first { shift in
            position(at: Int64(first.input.lowerBound) - shift) >= found.upperBound
                && run.allSatisfy { fits($0, shift) || alike.entries(like: $0).isEmpty }
        }
    }

    /// The content between the last frame and an entry; nil if nothing of it is known.
    ///
    /// The table knows what was between its frames, but not what was in front of the first one.
    private func lost(
        before position: Int, _ frame: FoundFrame, after end: UInt64, shiftBefore: Int64?, head: UInt64?
    ) -> Claim? {
        let (next, place) = (found.upperBound, frame.input.lowerBound)
        guard let shiftBefore, let shift, position >= next else { return nil }
        let size = contentStart(position) - contentStart(next)
        if end == place {
            // As many bytes are missing as the shift is less.
            let isMissing = hasBegun ? shift < shiftBefore : shift != shiftBefore
            return isMissing ? Claim(size: size, isExact: hasBegun || end == base) : nil
        }
        if hasBegun { return .exactly(size) }
        // No other content is lost if the listed bytes leave no room for it, or if they begin with the gap: then bytes
        // were inserted.
        let isAll = end + start(position) - start(next) >= place || end == base && head == contentStart(1)
        return size > 0 ? Claim(size: size, isExact: isAll) : nil
    }

    /// Counts a frame as that of an entry: the one that it fits, or the only one that it is like.
    ///
    /// - Returns: false if another frame was counted as that.
    private mutating func count(_ frame: FoundFrame, _ position: Int?) -> Bool {
        guard isChecked(frame), let position = position ?? alike.onlyEntry(like: frame), position < index.count else {
            return true
        }
        defer { counted[position] = true }
        return !counted[position]
    }

    /// Goes on after a frame.
    private mutating func note(_ frame: FoundFrame, _ position: Int, isListed: Bool, agrees: Bool) {
        let next = found.upperBound
        let isElsewhere = !agrees && isChecked(frame) && alike.onlyEntry(like: frame) != nil
        if isElsewhere || isListed && position < next { isReordered = true }
        if isListed {
            let behind = min(position + 1, index.count)
            found = (agrees ? position == next ? found.lowerBound : position : behind)..<behind
            // By the frame's end: its own entry may have a wrong size.
            if position < index.count { shift = Int64(frame.input.upperBound) - Int64(start(behind)) }
            if frame.contentSize != 0 { hasBegun = true }
        } else if hasBegun, let shift {
            let behind = max(next, self.position(at: Int64(frame.input.upperBound) - shift))
            found = behind..<behind
        }
    }

    /// The first entry that is listed at a place of the file or after it; that after the last one is the table's own.
    private func position(at place: Int64) -> Int {
        if place <= 0 { return 0 }
        return index.position(ofInput: UInt64(place - 1)).map { $0 + 1 } ?? index.count
    }

    private func start(_ position: Int) -> UInt64 { position > 0 ? index[position - 1].input.upperBound : 0 }

    private func contentStart(_ position: Int) -> UInt64 {
        position > 0 ? index[min(position, index.count) - 1].content.upperBound : 0
    }

    private func shift(of frame: FoundFrame, at position: Int) -> Int64 {
        Int64(frame.input.lowerBound) - Int64(start(position))
    }

    /// Whether a frame that follows those of another stream is that of the first entry.
    private func isFirst(_ frame: FoundFrame) -> Bool {
        found.upperBound == 0 && frame.input.lowerBound >= asked && finalShift != Int64(base) && frame.contentSize != 0
            && agrees(0, frame)
    }

    private func isChecked(_ frame: FoundFrame) -> Bool { frame.checksum != nil && index[0].checksum != nil }

    /// Whether an entry that describes a frame is listed at its place minus a shift.
    private func fits(_ frame: FoundFrame, _ shift: Int64?) -> Bool {
        guard let shift else { return false }
        let position = position(at: Int64(frame.input.lowerBound) - shift)
        return self.shift(of: frame, at: position) == shift && agrees(position, frame)
    }

    private func agrees(_ position: Int, _ frame: FoundFrame) -> Bool {
        guard position < index.count else { return frame.input.lowerBound == tableStart }
        let entry = index[position]
        // Many frames share a size, few a checksum.
        if let checksum = entry.checksum, let own = frame.checksum { return checksum == own }
        return hasSize(frame, position) && frame.contentSize.map { $0 == UInt64(entry.content.count) } ?? true
    }

    private func hasSize(_ frame: FoundFrame, _ position: Int) -> Bool {
        position < index.count && index[position].input.count == frame.input.count
    }
}
