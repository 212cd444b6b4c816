internal import ByteStreams
internal import ZstdCodec

/// Finds out where the content of frames in a damaged file belongs, by the seek table at its end.
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

    /// Nil if the file doesn't end with a credible table.
    init?(_ window: FileWindow) throws(Failure) {
        guard let (table, tableStart) = try Self.table(in: window), let index = FrameIndex(table) else { return nil }
        (self.index, self.tableStart) = (index, tableStart)
        base = 0
        // The listed frames fill the file up to the table or, after other streams, the last bytes before it.
        let start = tableStart - min(index.inputSize, tableStart)
        for offset in [0, start] {
            let walk = try FoundFrame(from: offset, in: window)
            if walk.isWhole, isLike(walk.frame, 0) {
                base = offset
                return
            }
        }
        if try window.tableSize(endingAt: start) != nil { base = start }
    }

    /// The table and its offset; nil if it is not credible. Four bytes of a frame become at most 128 KiB.
    private static func table(in window: FileWindow) throws(Failure) -> (SeekTable, start: UInt64)? {
        let file = window.file
        guard let size = try window.tableSize(endingAt: file.size), size < file.size, size <= SeekTable.largestHeld
        else { return nil }
        let encoded = try FileWindow(file, size: Int(size))
        guard let table = SeekTable(try encoded.bytes(at: file.size - size, atLeast: size).bytes),
            !table.entries.isEmpty,
            table.entries.allSatisfy({
                UInt64($0.decompressedSize) <= FrameFormat.contentBound(ofInput: UInt64($0.compressedSize))
            }),
            (table.compressedSize + size) / 2 <= file.size
        else { return nil }
        return (table, file.size - size)
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
            if isListed(frame) { hasCopyInFront = true }
            return nil
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
        var lost: LossSize? = isNext ? .nothing : isElsewhere ? .unknown : lost(before: start, after: end)
        // That an unknown amount is missing was reported before.
        if follows, next == nil, lost?.size == 0 { lost = nil }
        if hasCopyInFront { (hasCopyInFront, lost) = (false, LossSize(size: lost?.size ?? 0)) }
        reached = isElsewhere ? reached + (contentEnd - start) : contentEnd
        (next, hasBegun) = (entry + 1, true)
        return Assignment(
            // Before the first entry, other streams may be damaged too, of which the table says nothing.
            lost: end < base && frame.offset == base ? nil : lost,
            contentSize: isLike(frame, entry) ? size(entry) : nil)
    }

    /// Passes a skippable frame.
    ///
    /// - Returns: whether it is the next listed frame.
    mutating func pass(_ frame: FrameScanner.Frame) -> Bool {
        guard frame.offset >= base, let next, next < index.count,
            frame.compressedSize == UInt64(index[next].input.count)
        else { return false }
        (self.next, reached) = (next + 1, contentStart(next + 1))
        return true
    }

    /// What is lost before the table.
    func rest(after end: UInt64) -> LossSize { lost(before: index.contentSize, after: end) }

    /// Notes that the last frame may not have all of its content.
    mutating func doubt() { if !isUnshifted { next = nil } }

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
            guard follows, let next, next < index.count else { return nil }
            return frame.compressedSize == UInt64(index[next].input.count) || frame.contentSize == size(next)
                ? next : nil
        }
    }

    private func lost(before start: UInt64, after end: UInt64) -> LossSize {
        start >= reached ? LossSize(size: start - reached, isExact: next != nil && end >= base) : .unknown
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
