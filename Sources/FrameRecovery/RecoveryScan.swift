package import ByteStreams
package import ZstdCodec

/// Decodes frames in bounded memory and drops the content, to find out whether they are whole.
package protocol FrameProver {
    /// Bytes that went into the last trial, and came out.
    var work: UInt64 { get }

    /// Tries a range of the file that may be a frame.
    ///
    /// - Parameter most: bytes of work after which the trial ends.
    mutating func prove(_ range: Range<UInt64>, most: UInt64) throws(Failure) -> FrameVerdict
}

package enum FrameVerdict {
    /// The frame ends where its bytes do, with the right checksum if it has one: bytes of content.
    case whole(UInt64)
    /// The bytes end before the frame: bytes of content up to there.
    case cut(UInt64)
    case failed(String)
}

/// Searches a damaged file from front to back for frames and losses.
///
/// Frames follow one another: one whose blocks end where the next frame begins is accepted, and a worker finds out
/// whether it can be decoded. Where that chain breaks, every byte is searched for the next magic number, and a frame
/// there must prove itself first. Futile work is bounded, whatever the file contains.
package struct RecoveryScan<Prover: FrameProver> {
    package enum Find {
        /// Whole by its blocks and the bytes after them.
        case frame(TriedFrame)
        /// Already decoded once, to be decoded in segments.
        case proved(Range<UInt64>, contentSize: UInt64, isWhole: Bool)
        case lost(Range<UInt64>, Claim, String)
    }

    package let file: DamagedFile
    private let limits: DecodingLimits
    private var proof: Prover
    /// A frame with more content is decoded in segments, in bytes.
    private let mostHeld: UInt64
    /// From where on there are zeros only, and whether they may follow any frame, and not only a seek table.
    private let zeros: (offset: UInt64, areIgnored: Bool)
    /// What walks from block to block read, and the search for magic numbers.
    private let (walking, searching): (FileWindow, FileWindow)
    /// Nil if no seek table ends the file.
    private var places: FramePlaces?

    private var position: UInt64 = 0
    private var finds: [Find] = []
    private var isOver = false
    /// Bytes of work that may still be futile.
    private var patience: UInt64
    /// The frames of a stream that were passed: its seek table has an entry for each.
    private var passed = 0
    /// Whether a stream header announced a seek table.
    private var expectsTable = false
    /// Whether the seek table of a stream was passed last.
    private var isBehindTable = false
    /// Whether a frame with content was found.
    package private(set) var hasFrames = false

    package init(
        _ file: DamagedFile, _ limits: DecodingLimits, _ proof: Prover, mostHeld: UInt64,
        zeros: (offset: UInt64, areIgnored: Bool) = (.max, false)
    ) throws(Failure) {
        (self.file, self.limits, self.proof, self.mostHeld, self.zeros) = (file, limits, proof, mostHeld, zeros)
        walking = try FileWindow(file, size: 64 << 10)
        searching = try FileWindow(file, size: 1 << 20)
        // Only forged files need more than a little of it.
        patience = 2 << 30 + 64 * min(file.size, 1 << 50)
        places = try FramePlaces(walking)
    }

    /// The next frame or loss; nil at the end of the file.
    package mutating func next() throws(Failure) -> Find? {
        while finds.isEmpty, !isOver {
            guard position < file.size, position < zeros.offset || !(zeros.areIgnored || isBehindTable) else {
                isOver = true
                if expectsTable, hasFrames { findMissingTable(of: "the file") }
                continue
            }
            let walk = try FoundFrame(from: position, in: walking)
            if try !follow(walk) { try search(after: walk) }
        }
        return finds.isEmpty ? nil : finds.removeFirst()
    }

    // MARK: - Frames that follow one another

    /// Accepts a frame where the last one ended.
    ///
    /// - Returns: false if there is none, or it does not prove itself.
    private mutating func follow(_ walk: FoundFrame) throws(Failure) -> Bool {
        guard walk.isWhole else { return false }
        let isFollowed = try isStart(walk.end)
        if walk.frame.isSkippable {
            guard isFollowed || walk.frame.annotation != nil else { return false }
            try pass(walk)
            return true
        }
        guard isAllowed(walk.frame) else { return false }
        if isFollowed, isHeld(walk) {
            finds.append(.frame(tried(walk, accept(walk))))
            return true
        }
        switch try proof.prove(walk.input, most: isFollowed ? .max : patience) {
        case .whole(let size):
            _ = accept(walk)
            finds.append(.proved(walk.input, contentSize: size, isWhole: true))
            // What was inserted in it may have moved its last bytes out.
            if !isFollowed, walk.frame.header?.hasChecksum != true { places?.doubt() }
        case .failed(let reason) where isFollowed:
            finds.append(.lost(walk.input, accept(walk), reason))
        default:
            spend(proof.work)
            return false
        }
        return true
    }

    /// Accepts a frame, and what the table says is lost in front of it.
    ///
    /// - Parameter broken: where the chain broke, if it did.
    /// - Returns: what is lost if it can't be decoded.
    private mutating func accept(_ walk: FoundFrame, after broken: FoundFrame? = nil) -> Claim {
        let place = places?.place(walk.frame, after: position)
        if let broken {
            findGap(upTo: walk.frame.offset, broken, place?.lost)
        } else if let lost = place?.lost, lost != .nothing {
            let reason = lost.isExact ? "frames are missing here" : "the seek table lists the next frame elsewhere"
            finds.append(.lost(position..<position, lost, reason))
        }
        (position, isBehindTable, hasFrames) = (walk.end, false, true)
        passed += 1
        if let listed = place?.contentSize { return .exactly(listed) }
        // A header that says that there is no content may be what is damaged.
        let size = walk.contentSize(in: UInt64(walk.input.count)) ?? 0
        return Claim(size: size, isExact: size > 0)
    }

    private func tried(_ walk: FoundFrame, _ claim: Claim) -> TriedFrame {
        TriedFrame(input: walk.input, bound: walk.frame.decompressedBound, claim: claim)
    }

    /// Passes a skippable frame.
    private mutating func pass(_ walk: FoundFrame) throws(Failure) {
        let isListed = places?.pass(walk.frame) == true
        let isTorn = walk.frame.annotation == nil ? try isTornTable(walk.input) : false
        switch walk.frame.annotation {
        case .streamHeader(let header):
            if expectsTable { findMissingTable(of: "the stream in front") }
            expectsTable = !header.mayEndAnywhere
            // It follows the first frame of its stream.
            passed = 2
        case .seekTable:
            (expectsTable, passed) = (false, 0)
            if isTable(walk) {
                if let lost = places?.rest(after: position), lost.size > 0 {
                    finds.append(.lost(position..<position, lost, "frames are missing here"))
                }
            } else if !isListed {
                places?.startOver(at: walk.end)
            }
        case nil where isTorn: findTornTable(walk.input)
        case nil: passed += 1
        }
        isBehindTable = walk.isSeekTable
        position = walk.end
    }

    private func isHeld(_ walk: FoundFrame) -> Bool {
        max(walk.frame.decompressedBound, UInt64(walk.input.count)) <= mostHeld
    }

    private func isAllowed(_ frame: FrameScanner.Frame) -> Bool { (try? limits.check(frame)) != nil }

    /// The least cost of a futile trial is that of decoding 64 KiB.
    private mutating func spend(_ work: UInt64) { patience -= min(patience, max(work, 64 << 10)) }

    /// Whether a frame that the limits allow begins at an offset, or the file ends.
    private func isStart(_ offset: UInt64) throws(Failure) -> Bool {
        if offset == file.size { return true }
        let bytes = try walking.bytes(at: offset, atLeast: 32)
        let probe = UnsafeRawBufferPointer(rebasing: bytes.prefix(32))
        guard FrameScanner.isFrame(probe), file.isLegible(offset..<offset + 4) else { return false }
        var scanner = CheckedScanner(limits: limits, offset: offset)
        return (try? scanner.scan(probe)) != nil
    }

    // MARK: - Where the chain breaks

    /// Searches for the next frame that proves itself, or the table.
    private mutating func search(after broken: FoundFrame) throws(Failure) {
        var start = position + 1
        while patience > 0, let place = try nextMagic(from: start) {
            let candidate = try FoundFrame(from: place, in: walking)
            if isTable(candidate) {
                findGap(upTo: place, broken, places?.rest(after: position))
                (position, isBehindTable, expectsTable) = (candidate.end, true, false)
                return
            }
            if let size = try prove(candidate) {
                _ = accept(candidate, after: broken)
                let find: Find = .proved(candidate.input, contentSize: size, isWhole: true)
                return finds.append(isHeld(candidate) ? .frame(tried(candidate, .exactly(size))) : find)
            }
            start = place + 1
        }
        try giveUp(broken)
    }

    /// Whether a frame that does not follow the last one is none that another frame contains: the table lists it, or,
    /// where that can't tell, another frame follows it, or its checksum is right.
    ///
    /// - Returns: bytes of its content; nil if it does not prove itself.
    private mutating func prove(_ walk: FoundFrame) throws(Failure) -> UInt64? {
        guard walk.isWhole, let header = walk.frame.header, isAllowed(walk.frame) else {
            spend(walk.end - walk.frame.offset)
            return nil
        }
        var isFrame = places?.lists(walk.frame) ?? nil
        if isFrame == nil { isFrame = header.hasChecksum ? true : try isStart(walk.end) }
        guard isFrame == true, case .whole(let size) = try proof.prove(walk.input, most: patience)
        else {
            spend(walk.end - walk.frame.offset + proof.work)
            return nil
        }
        return size
    }

    private func nextMagic(from start: UInt64) throws(Failure) -> UInt64? {
        var start = start
        while start + UInt64(FrameScanner.magicSize) <= file.size {
            let bytes = try searching.bytes(at: start, atLeast: UInt64(FrameScanner.magicSize))
            if let place = FrameScanner.firstMagic(in: bytes) { return start + UInt64(place) }
            start += UInt64(bytes.count - FrameScanner.magicSize + 1)
        }
        return nil
    }

    /// Ends the search, since no frame follows: the file was cut, or its end is lost.
    private mutating func giveUp(_ broken: FoundFrame) throws(Failure) {
        let input = position..<file.size
        if case .cut = broken.ending, broken.frame.header != nil, isAllowed(broken.frame),
            case .cut(let size) = try proof.prove(input, most: .max)
        {
            let announced = broken.frame.header?.contentSize ?? 0
            // No disk holds more: such a header is damaged.
            let rest = announced < 1 << 60 ? announced - min(announced, size) : 0
            finds.append(.proved(input, contentSize: size, isWhole: false))
            let lost = Claim(size: rest, isInside: false)
            finds.append(.lost(file.size..<file.size, lost, "the file is cut within a frame"))
            hasFrames = true
        } else {
            findGap(upTo: file.size, broken, places?.rest(after: position), isInside: places != nil)
        }
        (position, expectsTable, places) = (file.size, false, nil)
    }

    // MARK: - Losses

    /// Finds that what lies between the last frame and a place is lost.
    ///
    /// - Parameter listed: what the table tells; nil if it tells nothing.
    private mutating func findGap(upTo end: UInt64, _ broken: FoundFrame, _ listed: Claim?, isInside: Bool = true) {
        let input = position..<end
        if listed == nil, (try? isTornTable(input)) == true { return findTornTable(input) }
        let guess = isAllowed(broken.frame) ? broken.contentSize(in: UInt64(input.count)) : nil
        finds.append(.lost(input, listed ?? Claim(size: guess ?? 0, isInside: isInside), reason(broken)))
    }

    private func reason(_ walk: FoundFrame) -> String {
        if !file.isLegible(walk.input) { return "it can't be read" }
        return switch walk.ending {
        case .flawed(.notZstandard): "no frame begins at byte \(walk.frame.offset)"
        case .flawed(let failure): "\(failure)"
        case .cut: "the frame at byte \(walk.frame.offset) does not end"
        case .whole: "the frame at byte \(walk.frame.offset) does not prove itself"
        }
    }

    private func isTable(_ walk: FoundFrame) -> Bool { walk.isSeekTable && walk.isWhole && walk.end == file.size }

    /// Finds that a stream has no end, so that frames of it may be missing.
    private mutating func findMissingTable(of stream: String) {
        let reason = "\(stream) is cut: the seek table that its header announces is missing"
        finds.append(.lost(position..<position, Claim(isInside: false), reason))
    }

    private mutating func findTornTable(_ input: Range<UInt64>) {
        finds.append(.lost(input, .nothing, "the seek table is damaged, or cut"))
        (expectsTable, passed) = (false, 0)
    }

    /// Whether bytes are what is left of a seek table with an entry for each frame that was passed: by the size in its
    /// header, which reaches up to their end or is also in its footer, or by that in its footer alone.
    private func isTornTable(_ input: Range<UInt64>) throws(Failure) -> Bool {
        let inFooter = try walking.tableSize(endingAt: input.upperBound)
        let start = try walking.bytes(at: input.lowerBound, atLeast: 8).prefix(8)
        let isMagic = start.count == 8 && SeekTable.isMagic(UnsafeRawBufferPointer(rebasing: start.prefix(4)))
        let inHeader = isMagic ? UInt64(FrameFormat.skippableHeaderSize) + UInt64(littleEndianBytes: start[4...]) : nil
        let size = UInt64(input.count)
        return [8, 12].contains { entry in
            let whole = UInt64(FrameFormat.skippableHeaderSize + passed * entry + SeekTable.footerSize)
            return whole == inHeader && (size <= whole || whole == inFooter) || whole == inFooter && whole == size
        }
    }
}
