internal import ByteStreams
internal import ZstdCodec

/// Finds out where the content of frames in a damaged file belongs, by the seek table of their stream.
///
/// A frame belongs to the next entry if it follows a placed frame, to the entry at its offset if nothing was inserted
/// or removed, or to the only entry that it matches. If it matches none of these, it can't be placed: an unknown amount
/// may be missing before it.
struct SeekTableMatcher {
    struct Assignment {
        /// What is lost before the frame; nil if the table can't tell.
        var lost: LossSize?
        /// The size of the frame's content in bytes, if it is listed.
        var contentSize: UInt64?
    }

    enum Answer { case listed, unlisted, unknown }

    private enum Likeness {
        case none
        case one(Int)
        case several
    }

    private let index: FrameIndex
    /// The positions of entries by compressed size and checksum; -1 where several entries share both.
    private lazy var byChecksum = positions { Self.key($0.input.count, UInt64($0.checksum ?? 0)) }
    /// The same by compressed size and content size, for frames or tables without checksums.
    private lazy var bySizes = positions { Self.key($0.input.count, UInt64($0.content.count)) }
    private let tableStart: UInt64
    /// Where the listed frames begin, if a frame there is like its entry; nil if that is a guess.
    private(set) var provenStart: UInt64?
    /// The next entries whose places are tried: counted from the first frame, and from the table.
    private var untried = (fromStart: 0, fromEnd: 0)
    /// Whether a frame has the place of its entry, although neither a checksum nor a content size agrees.
    private(set) var isDoubtful = false
    /// The offset before which no listed frame begins: frames before it belong to other streams.
    private var base: UInt64
    /// The entry of the frame that follows next, if the last one was placed.
    private var next: Int? = 0
    /// Bytes of listed content up to the end of the last frame.
    private var reached: UInt64 = 0
    /// Whether a listed frame was found. Until then, every frame may belong to another stream.
    private var hasBegun = false
    /// Whether a frame before the listed ones matches one of their entries.
    private var hasCopyInFront = false
    /// Whether the header of a stream was passed.
    private var hasHeader = false

    /// - Parameters:
    ///   - table: where the table is in the file.
    ///   - front: the first offset at which its frames may begin.
    /// - Returns: nil if the table is not credible.
    init?(_ window: FileWindow, table: Range<UInt64>, from front: UInt64) throws(Failure) {
        guard let listed = try Self.table(in: window, at: table, from: front), let index = FrameIndex(listed)
        else { return nil }
        (self.index, tableStart, base) = (index, table.lowerBound, front)
        // The listed frames fill the file up to the table or, if something is missing or was inserted, begin in front.
        let start = tableStart - min(index.inputSize, tableStart)
        let atFront = try likeness(to: front, in: window)
        if start > front {
            let atStart = try likeness(to: start, in: window)
            // Frames may be like others. If the first one is at neither place, another stream must be in front.
            let other = try FoundFrame(from: front, in: window)
            let isInFront = atFront.first == 0 && other.isWhole
            if atStart.first > 0 ? atStart.sum >= atFront.sum : atStart.sum > 0 && isInFront { provenStart = start }
        }
        if provenStart == nil, atFront.sum > 0 { provenStart = front }
        if provenStart == nil, start > front, try window.table(endingAt: start) != nil { provenStart = start }
        base = provenStart ?? front
    }

    /// How many of the first four entries are like the frames that are where they should be, if these begin at an
    /// offset. The header of a stream counts half.
    private func likeness(to offset: UInt64, in window: FileWindow) throws(Failure) -> (first: Int, sum: Int) {
        var likeness = (first: 0, sum: 0)
        for position in 0..<min(4, index.count) {
            let place = offset + index[position].input.lowerBound
            if place >= tableStart { break }
            let walk = try FoundFrame(from: place, in: window)
            guard walk.isWhole, isLike(walk.frame, position) else { continue }
            let isHeader = if case .streamHeader = walk.frame.annotation { true } else { false }
            likeness.sum += isHeader ? 1 : walk.frame.isSkippable ? 0 : 2
            if position == 0 { likeness.first = likeness.sum }
        }
        return likeness
    }

    /// The table; nil if it is not credible. Four bytes of a frame become at most 128 KiB. Where most of the frames are
    /// missing, the header of the stream must be there: otherwise a few bytes could claim any amount of content.
    private static func table(
        in window: FileWindow, at place: Range<UInt64>, from front: UInt64
    ) throws(Failure) -> SeekTable? {
        let (file, size) = (window.file, UInt64(place.count))
        guard size <= SeekTable.largestHeld else { return nil }
        let encoded = try FileWindow(file, size: Int(size))
        guard let table = SeekTable(try encoded.bytes(at: place.lowerBound, atLeast: size).bytes),
            let first = table.entries.first,
            table.entries.allSatisfy({
                UInt64($0.decompressedSize) <= FrameFormat.contentBound(ofInput: UInt64($0.compressedSize))
            })
        else { return nil }
        if (table.compressedSize + size) / 2 <= file.size { return table }
        // The header is the second frame, or the first one that is left.
        for offset in [front, front + UInt64(first.compressedSize)] where offset < place.lowerBound {
            if try window.streamHeader(at: offset) != nil { return table }
        }
        return nil
    }

    private static func key(_ inputSize: Int, _ detail: UInt64) -> UInt64 { UInt64(inputSize) << 32 | detail }

    private func positions(by key: (FrameIndex.Entry) -> UInt64) -> [UInt64: Int32] {
        Dictionary((0..<index.count).map { (key(index[$0]), Int32($0)) }) { _, _ in -1 }
    }

    /// Whether the table lists a frame.
    mutating func lookUp(_ frame: FrameScanner.Frame) -> Answer {
        guard frame.offset >= base, hasChecksums(frame) || frame.contentSize != nil else { return .unknown }
        return isListed(frame) ? .listed : .unlisted
    }

    private mutating func isListed(_ frame: FrameScanner.Frame) -> Bool {
        if case .none = likeness(of: frame) { false } else { true }
    }

    /// Assigns a frame with content to an entry; nil if it lies before the listed frames.
    ///
    /// - Parameter end: where the last frame ended.
    mutating func assign(_ frame: FrameScanner.Frame, after end: UInt64) -> Assignment? {
        guard frame.offset >= base else {
            // It may be a copy, or belong to another stream, which then begins like this one.
            defer { hasCopyInFront = hasCopyInFront || isListed(frame) }
            return !hasCopyInFront && isListed(frame) ? Assignment(lost: .unknown) : nil
        }
        let follows = frame.offset == max(end, base)
        guard let entry = entry(of: frame, follows: follows) else {
            defer { next = nil }
            // Frames of other streams don't count. A header may claim any size, so its blocks limit what counts.
            if hasBegun || lookUp(frame) != .unlisted {
                reached += frame.contentSize == nil ? 0 : frame.decompressedBound
            }
            return Assignment(lost: follows && next == nil ? nil : .unknown)
        }
        let (start, contentEnd) = (contentStart(entry), contentStart(entry + 1))
        let isNext = entry == next
        // It comes too late or, where nothing is missing in the file, skips others and yet follows the last frame.
        let isElsewhere = !isNext && (start < reached || follows && isUnshifted && start > reached)
        let gap = end..<max(end, frame.offset)
        var lost: LossSize? = isNext ? .nothing : isElsewhere ? .unknown : lost(before: start, in: gap)
        // That an unknown amount is missing was reported before.
        if follows, next == nil, lost?.size == 0 { lost = nil }
        reached = isElsewhere ? reached + (contentEnd - start) : contentEnd
        (next, hasBegun) = (entry + 1, true)
        return Assignment(
            // Before the first entry, other streams may be damaged too, of which the table says nothing.
            lost: end < base && frame.offset == base ? nil : lost,
            contentSize: isLike(frame, entry) ? size(entry) : nil)
    }

    /// The content size that the table lists for a frame at its place in the file; nil if it lists none there.
    func contentSize(listedFor frame: FrameScanner.Frame) -> UInt64? {
        guard isUnshifted, frame.offset >= base, let position = index.position(ofInput: frame.offset - base),
            index[position].input.lowerBound == frame.offset - base, isLike(frame, position)
        else { return nil }
        return size(position)
    }

    /// The next place after an offset where the table lists a frame with content: counted from the first frame or, if
    /// something was inserted or removed, from the table. No place is given twice.
    mutating func nextPlace(after end: UInt64) -> UInt64? {
        let fromStart = nextPlace(&untried.fromStart, after: end) { [base] in base + $0 }
        let lead = (listed: index.inputSize, table: tableStart)
        let fromEnd =
            isUnshifted
            ? nil
            : nextPlace(&untried.fromEnd, after: end) { offset in
                let distance = lead.listed - offset
                return distance <= lead.table ? lead.table - distance : nil
            }
        guard let place = [fromStart, fromEnd].compactMap(\.self).min() else { return nil }
        if fromStart == place { untried.fromStart += 1 }
        if fromEnd == place { untried.fromEnd += 1 }
        return place
    }

    private func nextPlace(
        _ position: inout Int, after end: UInt64, _ place: (_ listed: UInt64) -> UInt64?
    ) -> UInt64? {
        while position < index.count {
            let entry = index[position]
            if let place = place(entry.input.lowerBound), place > end, place < tableStart, !entry.content.isEmpty {
                return place
            }
            position += 1
        }
        return nil
    }

    /// Whether exactly the next listed frame should be in a gap of the file.
    func isAfterNext(_ offset: UInt64, from end: UInt64) -> Bool {
        guard isUnshifted, let next, next < index.count else { return false }
        let place = index[next].input
        return base + place.lowerBound == end && base + place.upperBound == offset
    }

    /// Passes a skippable frame.
    ///
    /// - Returns: whether it is the next listed frame.
    mutating func pass(_ frame: FrameScanner.Frame) -> Bool {
        if case .streamHeader = frame.annotation { hasHeader = true }
        guard frame.offset >= base, let next, next < index.count,
            frame.compressedSize == UInt64(index[next].input.count)
        else { return false }
        (self.next, reached) = (next + 1, contentStart(next + 1))
        return true
    }

    /// What is lost before the table.
    func rest(after end: UInt64) -> LossSize { lost(before: index.contentSize, in: end..<max(end, tableStart)) }

    /// Notes that the last frame may not have all of its content.
    mutating func doubt() { if !isUnshifted { next = nil } }

    /// Notes that all frames before an offset were found.
    mutating func skip(to offset: UInt64) {
        (next, hasBegun) = (nil, true)
        guard isUnshifted, offset >= base, let position = index.position(ofInput: offset - base),
            index[position].input.lowerBound == offset - base
        else { return }
        (next, reached) = (position, contentStart(position))
    }

    /// Notes that the seek table of another stream ends at an offset: no frame before it is listed.
    mutating func startOver(at end: UInt64) {
        hasCopyInFront = false
        if end >= base { (base, next, reached, hasBegun) = (end, 0, 0, false) }
    }

    /// Whether the listed frames exactly fill the space before the table, so that nothing was inserted or removed.
    private var isUnshifted: Bool { base + index.inputSize == tableStart }

    private mutating func entry(of frame: FrameScanner.Frame, follows: Bool) -> Int? {
        if follows, let next, isLike(frame, next) { return next }
        let listedOffset = frame.offset - base
        if isUnshifted, let position = index.position(ofInput: listedOffset),
            index[position].input.lowerBound == listedOffset, isLike(frame, position)
        {
            return position
        }
        switch likeness(of: frame) {
        case .one(let position): return position
        case .several: return nil
        case .none:
            // One field of the entry may be damaged.
            guard follows, let next, next < index.count,
                frame.compressedSize == UInt64(index[next].input.count) || frame.contentSize == size(next)
            else { return nil }
            isDoubtful = isDoubtful || !hasChecksums(frame) || index[next].checksum != frame.checksum
            return next
        }
    }

    /// - Parameter gap: bytes of the file in which it should be.
    private func lost(before start: UInt64, in gap: Range<UInt64>) -> LossSize {
        // A table that was copied has no stream of its own: what it lists before the first of its frames is elsewhere.
        let isOfStream = hasBegun || isUnshifted || hasHeader || !gap.isEmpty
        let isExact = next != nil && gap.lowerBound >= base && isOfStream
        return start >= reached ? LossSize(size: start - reached, isExact: isExact) : .unknown
    }

    private mutating func likeness(of frame: FrameScanner.Frame) -> Likeness {
        let detail = hasChecksums(frame) ? frame.checksum.map { UInt64($0) } : frame.contentSize
        guard let detail, max(frame.compressedSize, detail) <= UInt32.max else { return .none }
        let key = Self.key(Int(frame.compressedSize), detail)
        let position = hasChecksums(frame) ? byChecksum[key] : bySizes[key]
        return position.map { $0 < 0 ? .several : .one(Int($0)) } ?? .none
    }

    /// Whether a checksum of the frame can be compared with those of the table.
    private func hasChecksums(_ frame: FrameScanner.Frame) -> Bool {
        frame.checksum != nil && index[0].checksum != nil
    }

    private func isLike(_ frame: FrameScanner.Frame, _ position: Int) -> Bool {
        guard position < index.count, frame.compressedSize == UInt64(index[position].input.count) else { return false }
        if let listed = index[position].checksum, let own = frame.checksum { return listed == own }
        return frame.contentSize.map { $0 == size(position) } ?? true
    }

    private func size(_ position: Int) -> UInt64 { UInt64(index[position].content.count) }

    private func contentStart(_ position: Int) -> UInt64 {
        position > 0 ? index[min(position, index.count) - 1].content.upperBound : 0
    }
}
