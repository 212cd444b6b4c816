internal import Parity

/// A stretch of a file, and what its parity knows of it.
struct FileElement {
    enum Kind: Equatable {
        /// The bytes of a stream, as they were written.
        case own
        /// Others, or none, where it is known what was written.
        case known
        /// The same where that is lost.
        case lost
        /// Bytes of a stream of which nobody can tell whether they are those that were written.
        case unproved
        /// Bytes that prove themselves, where a stream has others.
        case foreign
        /// Bytes that belong to no stream with parity.
        case outside
        /// Zeros after the last stream.
        case padding
    }

    var old: Range<UInt64>
    /// In the stream of a part.
    var new: Range<UInt64>
    var part: Int
    var kind: Kind
    /// Whether something that proves itself is in the place of what is known, and is left out.
    var leavesOut = false

    /// Whether nothing is missing, and nothing was inserted.
    var isInPlace: Bool { old.count == new.count }

    /// The bytes that were inserted, if no more than what is missing.
    var inserted: Int { kind == .known ? max(0, old.count - new.count) : 0 }

    /// Whether bytes of the stream are missing, and nobody knows which.
    var isMissing: Bool { kind == .lost && !(isInPlace && !old.isEmpty) }
}

/// All bytes of a file with parity, and all bytes of its streams, in the order of the file. Recovery, repair and test
/// say and do what this list says: nothing else decides what becomes of a byte.
///
/// Between two pieces of a stream lies what has become of those between them. Before the first one and after the last
/// one, bytes are the stream's only if all of them have their places: up to the stream beside it, to the file's end, or
/// to a frame that begins there. Otherwise something was cut, and perhaps something else added: what is missing is
/// missing, and what is there stays there.
struct FileElements {
    private(set) var all: [FileElement] = []
    let checked: CheckedParity
    /// How many frames may be walked over to learn where a stream begins.
    private var steps = 1 << 18

    init(_ checked: CheckedParity) throws(Failure) {
        self.checked = checked
        var end: UInt64 = 0
        for (number, part) in checked.parts.enumerated() {
            try settle(end..<part.plan.input.lowerBound, between: number - 1, and: number)
            for element in part.plan.elements { try append(element, number) }
            end = part.plan.input.upperBound
        }
        try settle(end..<checked.file.size, between: checked.parts.count - 1, and: checked.parts.count)
    }

    /// Whether parity has nothing to say against any byte.
    var areUntouched: Bool { all.allSatisfy { [.own, .unproved, .outside, .padding].contains($0.kind) } }

    /// Whether nothing is missing, and nothing was inserted.
    var areInPlace: Bool { all.allSatisfy { $0.isInPlace || [.outside, .padding].contains($0.kind) } && !isMissing }

    private var isMissing: Bool { all.contains { $0.isMissing } }

    // MARK: Within a stream

    private mutating func append(_ element: RegionPlan.Element, _ part: Int) throws(Failure) {
        let kind: FileElement.Kind =
            switch element.kind {
            case .own: .own
            case .known: .known
            case .lost: .lost
            case .unproved: .unproved
            }
        let whole = FileElement(old: element.old, new: element.new, part: part, kind: kind)
        guard kind == .known, !whole.isInPlace else { return all.append(whole) }
        // What is left of the pieces beside a gap, or beside what was inserted, stays.
        let rest = try checked.parts[part].region.trimmed(whole)
        append(whole.old.lowerBound..<rest.old.lowerBound, whole.new.lowerBound..<rest.new.lowerBound, part, .own)
        all.append(rest)
        append(rest.old.upperBound..<whole.old.upperBound, rest.new.upperBound..<whole.new.upperBound, part, .own)
    }

    private mutating func append(
        _ old: Range<UInt64>, _ new: Range<UInt64>, _ part: Int, _ kind: FileElement.Kind
    ) {
        if !old.isEmpty || !new.isEmpty { all.append(FileElement(old: old, new: new, part: part, kind: kind)) }
    }

    // MARK: Between streams

    /// Decides what lies between the last piece of one stream and the first one of the next.
    private mutating func settle(_ gap: Range<UInt64>, between first: Int, and second: Int) throws(Failure) {
        let (parts, count) = (checked.parts, checked.parts.count)
        let back = first >= 0 ? parts[first].plan.back : []
        let front = second < count ? parts[second].plan.front : []
        let (backSize, frontSize) = (Self.size(of: back), Self.size(of: front))
        if UInt64(gap.count) >= backSize, UInt64(gap.count) - backSize >= frontSize {
            let between = gap.lowerBound + backSize..<gap.upperBound - frontSize
            if try isBoundary(between, after: backSize > 0, before: frontSize > 0) {
                append(back, in: gap.lowerBound..<between.lowerBound, first)
                try endStream(first, at: between)
                try appendOutside(between, isLast: second == count)
                append(front, in: between.upperBound..<gap.upperBound, second)
                return
            }
        }
        try cut(gap, (first, back), (second, front))
    }

    private static func size(of pieces: [RegionPlan.Piece]) -> UInt64 {
        pieces.isEmpty ? 0 : pieces[pieces.count - 1].range.upperBound - pieces[0].range.lowerBound
    }

    private mutating func append(_ pieces: [RegionPlan.Piece], in old: Range<UInt64>, _ part: Int) {
        for piece in RegionPlan.elements(for: pieces, from: pieces.first?.range.lowerBound ?? 0, in: old) {
            append(piece.old, piece.new, part, piece.kind == .known ? .known : piece.kind == .lost ? .lost : .unproved)
        }
    }

    /// Tells that a stream goes on after its last description that is left. Each stream ends in a description, so that
    /// its end is missing where no parity follows.
    private mutating func endStream(_ part: Int, at rest: Range<UInt64>) throws(Failure) {
        guard part >= 0, !checked.parts[part].plan.isEnd else { return }
        let end = checked.parts[part].region.size
        // Of another stream, also of one that is not looked at, nothing is the end of this one.
        let next = checked.leftAlone.last { rest.contains($0) && $0 > rest.lowerBound } ?? rest.upperBound
        let kind: FileElement.Kind = try areWithoutParity(rest.lowerBound..<next) ? .lost : .unproved
        all.append(
            FileElement(old: rest.lowerBound..<rest.lowerBound, new: end..<end, part: part, kind: kind))
    }

    /// Whether frames follow one another over all of a range, up to zeros at the file's end, and none of them is
    /// parity: others may be those of other streams, or of another program. Of more frames than may be walked over none
    /// is taken to be parity: a loss is told rather than missed.
    private mutating func areWithoutParity(_ range: Range<UInt64>) throws(Failure) -> Bool {
        let blocks = FileBlocks(file: checked.file)
        var place = range.lowerBound
        while place < range.upperBound, steps > 0 {
            let header = try blocks.bytes(at: place, most: ParityFrame.headerSize)
            if ParityFrame.kind(of: header.span.bytes) != nil { return false }
            guard let end = try checked.file.frameEnd(from: place), end > place else {
                return range.upperBound == checked.file.size ? try blocks.areZeros(in: place..<range.upperBound) : false
            }
            (place, steps) = (end, steps - 1)
        }
        return place == range.upperBound || steps == 0
    }

    private mutating func appendOutside(_ range: Range<UInt64>, isLast: Bool) throws(Failure) {
        if range.isEmpty { return }
        let isPadding = isLast ? try FileBlocks(file: checked.file).areZeros(in: range) : false
        append(range, 0..<0, -1, isPadding ? .padding : .outside)
    }

    /// Whether bytes between streams begin and end where others may.
    ///
    /// - Parameters:
    ///   - isAfter: whether it is to be shown that something begins at their start.
    ///   - isBefore: whether it is to be shown that something ends at their end.
    private mutating func isBoundary(
        _ between: Range<UInt64>, after isAfter: Bool, before isBefore: Bool
    ) throws(Failure) -> Bool {
        if between.isEmpty || !isAfter && !isBefore { return true }
        let blocks = FileBlocks(file: checked.file)
        if !isBefore {
            if between.upperBound == checked.file.size, try blocks.areZeros(in: between) { return true }
            let start = try blocks.bytes(at: between.lowerBound, most: FrameScanner.magicSize)
            return FrameScanner.isFrame(start.span.bytes)
        }
        var place = between.lowerBound
        while place < between.upperBound, steps > 0, let end = try checked.file.frameEnd(from: place), end > place {
            (place, steps) = (end, steps - 1)
        }
        return place == between.upperBound
    }

    /// Something was cut: what is left of a piece stays if nothing else is there, and what is missing belongs between.
    private mutating func cut(
        _ gap: Range<UInt64>, _ first: (part: Int, pieces: [RegionPlan.Piece]),
        _ second: (part: Int, pieces: [RegionPlan.Piece])
    ) throws(Failure) {
        let (back, front) = (Self.range(of: first.pieces), Self.range(of: second.pieces))
        var (left, right) = (gap.lowerBound, gap.upperBound)
        if !back.isEmpty { left += try checked.parts[first.part].region.sameBytes(gap, back, isAtEnd: false) }
        if !front.isEmpty {
            right -= try checked.parts[second.part].region.sameBytes(left..<right, front, isAtEnd: true)
        }
        // A few bytes of others may be the same by chance.
        if left < right { (left, right) = (gap.lowerBound, gap.upperBound) }
        let backEnd = back.lowerBound + (left - gap.lowerBound)
        let frontStart = front.upperBound - (gap.upperBound - right)
        append(gap.lowerBound..<left, back.lowerBound..<backEnd, first.part, .own)
        append(left..<left, backEnd..<back.upperBound, first.part, Self.kind(of: first.pieces))
        try endStream(first.part, at: left..<right)
        try appendOutside(left..<right, isLast: second.part == checked.parts.count)
        append(right..<right, front.lowerBound..<frontStart, second.part, Self.kind(of: second.pieces))
        append(right..<gap.upperBound, frontStart..<front.upperBound, second.part, .own)
    }

    private static func range(of pieces: [RegionPlan.Piece]) -> Range<UInt64> {
        pieces.isEmpty ? 0..<0 : pieces[0].range.lowerBound..<pieces[pieces.count - 1].range.upperBound
    }

    private static func kind(of pieces: [RegionPlan.Piece]) -> FileElement.Kind {
        pieces.allSatisfy { $0.kind == .known } ? .known : .lost
    }

    // MARK: Frames

    /// The list in which frames that prove themselves stay as they are.
    ///
    /// - Parameter leavesOut: whether they do not stay, but it is known that they are left out.
    func keeping(_ frames: RangeSet<UInt64>, leavesOut: Bool = false) throws(Failure) -> FileElements {
        if frames.isEmpty { return self }
        var kept = self
        kept.all = []
        for element in all {
            guard element.kind == .known else {
                kept.all.append(element)
                continue
            }
            if element.isInPlace {
                try kept.append(element, keeping: frames, leavesOut)
            } else {
                var element = element
                if frames.meets(element.old) {
                    if leavesOut { element.leavesOut = true } else { element.kind = .foreign }
                }
                kept.all.append(element)
            }
        }
        return kept
    }

    private mutating func append(
        _ element: FileElement, keeping frames: RangeSet<UInt64>, _ leavesOut: Bool
    ) throws(Failure) {
        let region = checked.parts[element.part].region
        for (old, isKept) in frames.pieces(of: element.old) {
            let start = element.new.lowerBound + (old.lowerBound - element.old.lowerBound)
            let new = start..<start + UInt64(old.count)
            let isOwn = isKept ? try region.sameBytes(old, new, isAtEnd: false) == UInt64(old.count) : false
            var part = element
            (part.old, part.new) = (old, new)
            part.kind = isOwn ? .own : isKept && !leavesOut ? .foreign : .known
            part.leavesOut = element.leavesOut || isKept && leavesOut && !isOwn
            all.append(part)
        }
    }

    /// Whether bytes were inserted in a stream as in the frame of an archive that has it as its content: such a stream
    /// is not what the file is of. Before each 128 KiB of it there are the three bytes of a block's header, and other
    /// bytes before it, where its head is lost.
    func mayBeContent(_ element: FileElement) -> Bool {
        element.inserted == FrameFormat.blockHeaderSize || element.inserted > 0 && isHeadLost(element.part)
    }

    /// Whether there is no place for what is missing at the start of a stream.
    private func isHeadLost(_ part: Int) -> Bool {
        let before = part > 0 ? checked.parts[part - 1].plan.input.upperBound : 0
        let plan = checked.parts[part].plan
        return Self.size(of: plan.front) > plan.input.lowerBound - min(plan.input.lowerBound, before)
    }

    /// Where a byte of the file belongs in a stream, if it is at its place.
    func place(of offset: UInt64) -> (part: Int, offset: UInt64)? {
        let index = all.firstPosition { $0.old.upperBound > offset }
        guard index < all.count, all[index].isInPlace, all[index].old.contains(offset) else { return nil }
        return (all[index].part, all[index].new.lowerBound + (offset - all[index].old.lowerBound))
    }
}

extension RangeSet<UInt64> {
    /// Whether one of the ranges has something of another one, or goes over it if that is empty. A binary search: both
    /// a file's elements and its frames may be many.
    func meets(_ range: Range<UInt64>) -> Bool {
        let first = ranges.firstPosition { $0.upperBound > range.lowerBound }
        return first < ranges.endIndex && ranges[first].lowerBound < range.upperBound
    }

    /// A range in pieces, each with whether it is in the set.
    fileprivate func pieces(of range: Range<UInt64>) -> [(Range<UInt64>, Bool)] {
        var (pieces, place) = ([(Range<UInt64>, Bool)](), range.lowerBound)
        for other in ranges[ranges.firstPosition { $0.upperBound > range.lowerBound }...] {
            if other.lowerBound >= range.upperBound { break }
            let same = other.clamped(to: range)
            if place < same.lowerBound { pieces.append((place..<same.lowerBound, false)) }
            pieces.append((same, true))
            place = same.upperBound
        }
        if place < range.upperBound { pieces.append((place..<range.upperBound, false)) }
        return pieces
    }
}

extension ParityRegion<FileBlocks> {
    /// An element without the bytes at its ends that stay the same.
    fileprivate func trimmed(_ element: FileElement) throws(Failure) -> FileElement {
        let (old, new) = (element.old, element.new)
        let shorter = UInt64(min(old.count, new.count))
        let front = try sameBytes(old, new, isAtEnd: false)
        let back = try sameBytes(old, new, isAtEnd: true)
        // Where something is missing or was inserted between bytes that are the same, it may lie at several places.
        let first = min(front, shorter - back)
        let kept = try frameStart(new.lowerBound + first...new.lowerBound + front).map { $0 - new.lowerBound } ?? first
        let rest = min(back, shorter - kept)
        var trimmed = element
        trimmed.old = old.lowerBound + kept..<old.upperBound - rest
        trimmed.new = new.lowerBound + kept..<new.upperBound - rest
        return trimmed
    }

    /// The first place of a range of the stream at which a frame may begin.
    private func frameStart(_ places: ClosedRange<UInt64>) throws(Failure) -> UInt64? {
        let most = min(UInt64(places.count), 1 << 16) + UInt64(FrameScanner.magicSize) - 1
        let count = Int(min(most, size - places.lowerBound))
        guard places.count > 1, let bytes = try bytes(at: places.lowerBound, count: count) else { return nil }
        return FrameScanner.firstMagic(in: bytes.span.bytes).map { places.lowerBound + UInt64($0) }
    }
}
