extension FrameHunt {
    /// Searches for the next frame that proves itself, where the chain of frames breaks.
    mutating func resynchronise(_ walk: FrameWalk) throws(Failure) {
        var start = position + 1
        while patience > 0, let place = try nextMagic(from: start) {
            let candidate = try FrameWalk(from: place, in: walking)
            if let find = try prove(candidate) {
                let (bearing, end) = try bearing(from: candidate)
                if let bearing, bearing.isSure, let behind = try endOfRepeated(from: candidate, bearing.shift) {
                    spend(proof.work + Self.walkWork * (end - place))
                    start = behind
                    continue
                }
                let shift = guide?.shift
                let (skipped, _) = try self.place(candidate, bearing)
                let gap = try loss(walk, before: place, doubted(skipped, isShifted: guide?.shift != shift))
                finds += [gap, find]
                return didPass(candidate)
            }
            if isTable(candidate) {
                let isShifted = guide?.shift != guide?.finalShift
                let gap = try loss(walk, before: place, doubted(guide?.rest(after: position), isShifted: isShifted))
                finds.append(gap)
                (position, expectsTable, guide) = (file.size, false, nil)
                return
            }
            start = place + 1
        }
        try giveUp(walk)
    }

    /// The loss of what lies between the last frame and the next one, or the table.
    ///
    /// - Parameter listed: what the table tells; nil if it tells nothing.
    private mutating func loss(_ walk: FrameWalk, before end: UInt64, _ listed: Claim?) throws(Failure) -> Find {
        let input = position..<end
        if listed == nil, try isDamagedTable(input) {
            expectsTable = false
            return .lost(input, .nothing, Self.damagedTable)
        }
        return .lost(input, listed ?? guess(walk, input), reason(walk))
    }

    /// A claim that is not exact if the frame in front is doubtful: what was inserted or removed may belong to it.
    private func doubted(_ claim: Claim?, isShifted: Bool) -> Claim? {
        claim.map { Claim(size: $0.size, isExact: $0.isExact && !(isDoubtful && isShifted), isInside: $0.isInside) }
    }

    /// The claim of a range that begins with a broken frame; more frames may be lost after it.
    private func guess(_ walk: FrameWalk, _ input: Range<UInt64>) -> Claim {
        let isLegible = (try? limits.check(walk.frame)) != nil
        return Claim(size: isLegible ? walk.contentSize(in: UInt64(input.count)) ?? 0 : 0)
    }

    /// A frame that does not follow the last one, if it proves itself: its checksum is right, or at least another frame
    /// follows it; and the seek table lists it. If none can tell, another frame follows it, or it is like the last one.
    private mutating func prove(_ walk: FrameWalk) throws(Failure) -> Find? {
        guard walk.isWhole, let header = walk.frame.header, isAllowed(walk.frame) else {
            spend(walk.end - walk.frame.offset)
            return nil
        }
        let isFollowed = try Self.isStart(walk.end, in: walking, limits)
        let found = try found(walk)
        let isListed = guide?.lists(found) ?? nil
        guard isListed != false, isFollowed || header.hasChecksum && (isListed == true || isAlike(header)),
            case .whole(let size) = try proof.prove(walk.input, most: patience)
        else {
            spend(walk.end - walk.frame.offset + proof.work)
            return nil
        }
        return isHeld(walk)
            ? .frame(walk.tried(.exactly(size)))
            : .proved(walk.input, contentSize: size, isWhole: true)
    }

    /// Whether a header is like that of the last frame, if there was one.
    private func isAlike(_ header: FrameHeader) -> Bool {
        guard let last else { return true }
        return last.hasChecksum == header.hasChecksum && last.windowSize == header.windowSize
            && last.dictionaryIdentifier == header.dictionaryIdentifier
    }

    /// What a frame after a gap and those that follow it tell of their places: the first that is like one entry only,
    /// or the table; if the chain breaks before, the first that is not like the first one.
    ///
    /// If the frame is accepted, so are all frames of the walk: no later walk begins among them.
    ///
    /// - Returns: also where the walk ended.
    func bearing(from start: FrameWalk) throws(Failure) -> (TableGuide.Bearing?, end: UInt64) {
        guard let guide else { return (nil, start.end) }
        let first = try found(start)
        var (walk, unsure) = (start, TableGuide.Bearing?.none)
        while walk.isWhole {
            if isTable(walk) { return (guide.finalBearing, walk.end) }
            let found = try found(walk)
            if let bearing = guide.bearing(of: found) {
                if bearing.isSure { return (bearing, walk.end) }
                if unsure == nil, !found.isLike(first) { unsure = bearing }
            }
            guard try Self.isStart(walk.end, in: walking, limits) else { break }
            walk = try FrameWalk(from: walk.end, in: walking)
        }
        return (unsure, walk.end)
    }

    /// Where the frames end whose content is already there; nil if that of the first one is not.
    ///
    /// - Parameter shift: how many bytes the frames lie after their listed places.
    private func endOfRepeated(from first: FrameWalk, _ shift: Int64) throws(Failure) -> UInt64? {
        guard let guide else { return nil }
        var walk = first
        while walk.isWhole, guide.repeats(try found(walk), shiftedBy: shift) {
            walk = try FrameWalk(from: walk.end, in: walking)
        }
        let end = walk.frame.offset
        return end > first.frame.offset ? end : nil
    }

    private mutating func nextMagic(from start: UInt64) throws(Failure) -> UInt64? {
        var start = start
        while start + UInt64(FrameScanner.magicSize) <= file.size {
            let bytes = try searching.bytes(at: start, atLeast: UInt64(FrameScanner.magicSize))
            if let place = FrameScanner.firstMagic(in: bytes) { return start + UInt64(place) }
            start += UInt64(bytes.count - FrameScanner.magicSize + 1)
        }
        return nil
    }

    /// Ends the search, since no frame follows: the file was cut, or its end is lost.
    private mutating func giveUp(_ walk: FrameWalk) throws(Failure) {
        let input = position..<file.size
        position = file.size
        if case .cut = walk.ending, walk.frame.header != nil, isAllowed(walk.frame),
            case .cut(let size) = try proof.prove(input, most: .max)
        {
            let announced = walk.frame.header?.contentSize ?? 0
            // No disk holds more: such a header is damaged.
            let rest = announced < 1 << 60 ? announced - min(announced, size) : 0
            finds.append(.proved(input, contentSize: size, isWhole: false))
            let lost = Claim(size: rest, isInside: false)
            finds.append(.lost(file.size..<file.size, lost, "the file is cut within a frame"))
            last = walk.frame.header
        } else if try isDamagedTable(input) {
            finds.append(.lost(input, .nothing, Self.damagedTable))
        } else if let rest = guide?.rest(after: input.lowerBound), rest.size > 0 {
            finds.append(.lost(input, rest, reason(walk)))
        } else {
            var claim = guess(walk, input)
            claim.isInside = false
            finds.append(.lost(input, claim, reason(walk)))
        }
        (expectsTable, guide) = (false, nil)
    }

    /// Whether a range was a seek table and nothing else: by the size in its footer, or, where a table is expected, by
    /// its magic number and the size in its header.
    func isDamagedTable(_ input: Range<UInt64>) throws(Failure) -> Bool {
        let size = UInt64(input.count)
        let sizeInFooter = try walking.tableSize(endingAt: input.upperBound)
        let start = try walking.bytes(at: input.lowerBound, atLeast: 8).prefix(8)
        if sizeInFooter == size { return FrameHeader(ofFrame: UnsafeRawBufferPointer(rebasing: start)) == nil }
        guard expectsTable, SeekTable.isMagic(UnsafeRawBufferPointer(rebasing: start.prefix(4))) else { return false }
        let sizeInHeader = UInt64(FrameFormat.skippableHeaderSize) + UInt64(littleEndianBytes: start.dropFirst(4))
        // The table was cut, or bytes were inserted in it. Other bytes after it may be content.
        return sizeInHeader >= size || sizeInHeader == sizeInFooter
    }

    private func reason(_ walk: FrameWalk) -> String {
        if !file.isLegible(walk.input) { return "it can't be read" }
        return switch walk.ending {
        case .flawed(.notZstandard): "no frame begins at byte \(walk.frame.offset)"
        case .flawed(let failure): "\(failure)"
        case .cut: "the frame at byte \(walk.frame.offset) does not end"
        case .whole: "the frame at byte \(walk.frame.offset) does not prove itself"
        }
    }
}
