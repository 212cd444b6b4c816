extension FrameHunt {
    /// Searches for the next frame that proves itself, where the chain of frames breaks.
    mutating func resynchronise(_ walk: FrameWalk) throws(Failure) {
        let (shift, head) = (alignment?.shift, walk.frame.header?.contentSize)
        // The last frame ended there, or a copy of one that is already there.
        var (end, start) = (position, position + 1)
        while patience > 0, let place = try nextMagic(from: start) {
            let candidate = try FrameWalk(from: place, in: walking)
            let find = try isTable(candidate) ? nil : prove(candidate)
            guard find != nil || isTable(candidate) else {
                start = place + 1
                continue
            }
            let found = try self.place(candidate, behind: end, head: head)
            if found.isCopy {
                spend(proof.work)
                (end, start) = (candidate.end, candidate.end)
                continue
            }
            finds.append(try loss(walk, before: place, doubted(found.lost, isShifted: alignment?.shift != shift)))
            if let find { finds.append(find) } else { expectsTable = false }
            return didPass(candidate)
        }
        try giveUp(walk)
    }

    /// The loss of what lies between the last frame and the next one, or the table.
    ///
    /// - Parameter listed: what the table tells; nil if it tells nothing.
    private mutating func loss(_ walk: FrameWalk, before end: UInt64, _ listed: Claim?) throws(Failure) -> Find {
        let input = position..<end
        if listed == nil, let claim = try lossOfTable(input) {
            expectsTable = false
            return .lost(input, claim, Self.damagedTable)
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
        let isListed = alignment?.lists(walk.found) ?? nil
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
        } else if let claim = try lossOfTable(input) {
            finds.append(.lost(input, claim, Self.damagedTable))
        } else if let rest = alignment?.rest(after: input.lowerBound), rest.size > 0 {
            finds.append(.lost(input, rest, reason(walk)))
        } else {
            var claim = guess(walk, input)
            claim.isInside = false
            finds.append(.lost(input, claim, reason(walk)))
        }
        (expectsTable, alignment) = (false, nil)
    }

    /// What is lost in a range that was a seek table and nothing else: by the size in its footer, or, where a table is
    /// expected, by its magic number and the size in its header. Nil if it was something else.
    func lossOfTable(_ input: Range<UInt64>) throws(Failure) -> Claim? {
        let size = UInt64(input.count)
        let sizeInFooter = try walking.tableSize(endingAt: input.upperBound)
        let start = try walking.bytes(at: input.lowerBound, atLeast: 8).prefix(8)
        if sizeInFooter == size {
            return FrameHeader(ofFrame: UnsafeRawBufferPointer(rebasing: start)) == nil ? loss(ofTable: size) : nil
        }
        guard expectsTable, SeekTable.isMagic(UnsafeRawBufferPointer(rebasing: start.prefix(4))) else { return nil }
        let sizeInHeader = UInt64(FrameFormat.skippableHeaderSize) + UInt64(littleEndianBytes: start.dropFirst(4))
        // The table was cut, or bytes were inserted in it. Other bytes after it may be content.
        return sizeInHeader >= size || sizeInHeader == sizeInFooter ? loss(ofTable: sizeInHeader) : nil
    }

    /// Nothing, if the table had an entry for each frame that was passed: otherwise frames may be missing.
    private func loss(ofTable size: UInt64) -> Claim {
        let sizes = [8, 12].map { FrameFormat.skippableHeaderSize + passed * $0 + SeekTable.footerSize }
        return sizes.contains { UInt64($0) == size } ? .nothing : Claim(isInside: false)
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
