package import ByteStreams
package import ZstdCodec

/// Tries a range of the file that may be a frame, in bounded memory, and drops the content.
///
/// - Parameter most: bytes of work after which the trial ends.
/// - Returns: what was found, and the work: bytes of input and output.
package typealias FrameTrial = (
    _ range: Range<UInt64>, _ most: UInt64
) throws(Failure) -> (verdict: FrameVerdict, work: UInt64)

/// Searches a damaged file from front to back for frames and losses.
///
/// A frame whose blocks end where the next frame begins is accepted, and a worker finds out whether it can be decoded.
/// Where that chain breaks, the scan looks for the next magic number, byte by byte, and a frame found there must prove
/// itself first. Futile work is bounded, whatever the file contains. The scan only finds bytes and places them: whether
/// the file is sound, `FileVerdict` says.
package struct RecoveryScan {
    /// What is known of the end of the current stream.
    private enum StreamEnd {
        case open
        /// Its header announced a seek table.
        case tableExpected
        /// The last frame was its seek table.
        case behindTable
    }

    package let file: DamagedFile
    private let limits: DecodingLimits
    private let trial: FrameTrial
    /// The most bytes of a frame, or of its content, that are held as a whole; larger ones are decoded in segments.
    private let mostHeld: UInt64
    /// Where trailing zeros begin, and whether they are expected after any frame instead of only after a seek table.
    private let zeros: (offset: UInt64, areExpected: Bool)
    /// The windows of the walks from block to block, and of the search for magic numbers.
    private let (walking, searching): (FileWindow, FileWindow)
    private var tables: StreamTables
    /// Where the next seek table is; nil if none follows.
    private var table: Range<UInt64>?
    /// Nil if there is none, or if it is not credible.
    private var matcher: SeekTableMatcher?
    /// A frame after the broken chain that is where the table lists it, and has proved itself.
    private var listed: (walk: FoundFrame, contentSize: UInt64)?

    private var position: UInt64 = 0
    private var results: [RecoveryResult] = []
    /// Bytes of futile work that are still allowed.
    private var patience: UInt64
    /// The number of frames of the current stream so far: its seek table has an entry for each.
    private var passed = 0
    private var streamEnd = StreamEnd.open
    /// Whether a frame with content was found.
    package private(set) var hasFrames = false
    /// The number of streams whose tables account for all of their frames, and of others that end in a table.
    private var streams = (accountedFor: 0, others: 0)

    /// Whether nothing but seek tables contradicts the frames, and they account for all of them.
    package var isAccountedFor: Bool { streams.accountedFor > 0 && streams.others == 0 }

    /// - Parameter sound: frames before the first one that the scan looks at.
    package init(
        _ file: DamagedFile, _ verdict: FileVerdict, _ limits: DecodingLimits, _ trial: @escaping FrameTrial,
        mostHeld: UInt64, zeros: (offset: UInt64, areExpected: Bool) = (.max, false),
        after sound: SoundFrames? = nil
    ) throws(Failure) {
        self.file = file
        self.limits = limits
        self.trial = trial
        self.mostHeld = mostHeld
        self.zeros = zeros
        walking = try FileWindow(forWalkOver: file)
        searching = try FileWindow(file, size: 1 << 20)
        // Only forged files need more than a little of it.
        patience = 2 << 30 + 64 * min(file.size, 1 << 50)
        tables = try StreamTables(file, verdict)
        let start = sound?.end ?? (0, 0)
        position = start.streamStart
        try beginStream()
        position = start.broken
        if position > start.streamStart { matcher?.skip(to: position) }
    }

    /// The next frame or loss; nil at the end of the file.
    package mutating func next() throws(Failure) -> RecoveryResult? {
        while results.isEmpty {
            // At the end, or where only zeros follow that are ignored here.
            let takesZeros = zeros.areExpected || streamEnd == .behindTable
            guard position < file.size, position < zeros.offset || !takesZeros else {
                guard streamEnd == .tableExpected, hasFrames else { return nil }
                reportMissingTable(of: "the file")
                break
            }
            let walk = try FoundFrame(from: position, in: walking)
            if try !follow(walk) { try search(after: walk) }
        }
        return results.removeFirst()
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
        // A frame that another one follows is most likely whole: a worker finds out.
        if isFollowed, isHeld(walk) {
            results.append(.held(tried(walk, accept(walk))))
            return true
        }
        // What no frame follows may not be a frame at all, so the work on it is bounded.
        let (verdict, work) = try trial(walk.input, isFollowed ? .max : patience)
        switch verdict {
        case .whole(let size):
            _ = accept(walk)
            results.append(.streamed(walk.input, contentSize: size, isCut: false))
            // Bytes inserted in it may have pushed its last bytes out, unnoticed without a checksum.
            if !isFollowed, walk.frame.header?.hasChecksum != true { matcher?.doubt() }
        case .failed(let reason) where isFollowed:
            results.append(.lost(walk.input, accept(walk), reason))
        default:
            spend(work)
            return false
        }
        return true
    }

    /// Accepts a frame, and reports what is lost before it according to the table.
    ///
    /// - Parameter broken: where the chain broke, if it did.
    /// - Returns: what is lost if it can't be decoded.
    private mutating func accept(_ walk: FoundFrame, after broken: FoundFrame? = nil) -> LossSize {
        let assignment = matcher?.assign(walk.frame, after: position)
        if let broken {
            reportGap(upTo: walk.frame.offset, broken, assignment?.lost)
        } else if let lost = assignment?.lost, lost != .nothing {
            let reason = lost.isExact ? "frames are missing here" : "the seek table lists the next frame elsewhere"
            results.append(.lost(position..<position, lost, reason))
        }
        pass(upTo: walk.end)
        hasFrames = true
        if let listed = assignment?.contentSize { return .exactly(listed) }
        // A content size of 0 may itself be the damage, so it isn't exact.
        let size = walk.contentSize(in: UInt64(walk.input.count)) ?? 0
        return LossSize(size: size, isExact: size > 0)
    }

    private func tried(_ walk: FoundFrame, _ loss: LossSize) -> TriedFrame {
        TriedFrame(input: walk.input, bound: walk.frame.decompressedBound, loss: loss)
    }

    /// Passes a skippable frame.
    private mutating func pass(_ walk: FoundFrame) throws(Failure) {
        let isListed = matcher?.pass(walk.frame) == true
        let isTorn = walk.frame.annotation == nil ? try isTornTable(walk.input) : false
        switch walk.frame.annotation {
        case .streamHeader(let header):
            if streamEnd == .tableExpected { reportMissingTable(of: "the stream in front") }
            streamEnd = header.mayEndAnywhere ? .open : .tableExpected
            // The header is the second frame of its stream.
            passed = 2
        case .seekTable where isTable(walk):
            if let lost = matcher?.rest(after: position), lost.size > 0 {
                results.append(.lost(position..<position, lost, "frames are missing here"))
            }
            return try endStream(at: walk.end)
        case .seekTable:
            (streamEnd, passed) = (.behindTable, 0)
            if !isListed { matcher?.startOver(at: walk.end) }
        case nil where isTorn: reportTornTable(walk.input)
        case nil: return pass(upTo: walk.end)
        }
        position = walk.end
    }

    /// Passes the seek table of the current stream.
    private mutating func endStream(at end: UInt64) throws(Failure) {
        if matcher?.isDoubtful == false { streams.accountedFor += 1 } else { streams.others += 1 }
        (position, streamEnd, passed) = (end, .behindTable, 0)
        try beginStream()
    }

    private mutating func beginStream() throws(Failure) {
        let next = position < file.size ? try tables.next(after: position) : nil
        (table, matcher, listed) = (next?.place, next?.matcher, nil)
    }

    /// Passes a frame that is not the last of its stream.
    private mutating func pass(upTo end: UInt64) {
        position = end
        passed += 1
        if streamEnd == .behindTable { streamEnd = .open }
    }

    private func isHeld(_ walk: FoundFrame) -> Bool {
        max(walk.frame.decompressedBound, UInt64(walk.input.count)) <= mostHeld
    }

    private func isAllowed(_ frame: FrameScanner.Frame) -> Bool { (try? limits.check(frame)) != nil }

    /// A futile trial costs at least as much as decoding 64 KiB.
    private mutating func spend(_ work: UInt64) { patience -= min(patience, max(work, 64 << 10)) }

    /// Whether a frame that the limits allow begins at an offset, or the file ends.
    private func isStart(_ offset: UInt64) throws(Failure) -> Bool {
        if offset == file.size { return true }
        let bytes = try walking.bytes(at: offset, atLeast: 32)
        let probe = bytes.bytes.extracting(first: 32)
        guard FrameScanner.isFrame(probe), file.isLegible(offset..<offset + 4) else { return false }
        var scanner = CheckedScanner(limits: limits, offset: offset)
        return (try? scanner.scan(probe)) != nil
    }

    // MARK: - Where the chain breaks

    /// Searches for the next frame that proves itself, or for the table that ends the stream: first where the table
    /// lists frames, then every byte up to there.
    private mutating func search(after broken: FoundFrame) throws(Failure) {
        try findListed()
        let limit = listed?.walk.frame.offset ?? .max
        // Between a frame and the next but one, nothing can be but what is left of the frame between them.
        var start = listed != nil && matcher?.isAfterNext(limit, from: position) == true ? limit : position + 1
        let reserve = listed == nil ? 0 : patience - min(patience, 16 << 20 + 64 * (limit - position))
        while patience > reserve, let offset = try nextMagic(from: start), offset < limit {
            let candidate = try FoundFrame(from: offset, in: walking)
            if isTable(candidate) {
                reportGap(upTo: offset, broken, matcher?.rest(after: position))
                return try endStream(at: candidate.end)
            }
            if let size = try prove(candidate) { return resume(at: candidate, size, after: broken) }
            start = offset + 1
        }
        if let (walk, size) = listed { return resume(at: walk, size, after: broken) }
        try giveUp(broken)
    }

    private mutating func resume(at walk: FoundFrame, _ size: UInt64, after broken: FoundFrame) {
        _ = accept(walk, after: broken)
        results.append(
            isHeld(walk)
                ? .held(tried(walk, .exactly(size))) : .streamed(walk.input, contentSize: size, isCut: false))
    }

    /// Finds the first frame after the broken chain that is where the table lists it.
    private mutating func findListed() throws(Failure) {
        if let listed, listed.walk.frame.offset > position { return }
        listed = nil
        while patience > 0, let offset = matcher?.nextPlace(after: position) {
            let bytes = try walking.bytes(at: offset, atLeast: UInt64(FrameScanner.magicSize))
            guard FrameScanner.isFrame(bytes.bytes) else { continue }
            let walk = try FoundFrame(from: offset, in: walking)
            if let size = try prove(walk) {
                listed = (walk, size)
                return
            }
        }
    }

    /// Proves that a frame after a gap isn't part of another frame's content: the table lists it or, if the table can't
    /// tell, its checksum is right or another frame follows it.
    ///
    /// - Returns: bytes of its content; nil if it does not prove itself.
    private mutating func prove(_ walk: FoundFrame) throws(Failure) -> UInt64? {
        guard walk.isWhole, let header = walk.frame.header, isAllowed(walk.frame) else {
            spend(walk.end - walk.frame.offset)
            return nil
        }
        let isFrame: Bool
        switch matcher?.lookUp(walk.frame) ?? .unknown {
        case .listed: isFrame = true
        case .unlisted: isFrame = false
        case .unknown: isFrame = header.hasChecksum ? true : try isStart(walk.end)
        }
        let (verdict, work) = isFrame ? try trial(walk.input, patience) : (.failed("it is not listed"), 0)
        if case .whole(let size) = verdict { return size }
        spend(walk.end - walk.frame.offset + work)
        return nil
    }

    private func nextMagic(from start: UInt64) throws(Failure) -> UInt64? {
        var start = start
        while start + UInt64(FrameScanner.magicSize) <= file.size {
            let bytes = try searching.bytes(at: start, atLeast: UInt64(FrameScanner.magicSize))
            if let index = FrameScanner.firstMagic(in: bytes.bytes) { return start + UInt64(index) }
            start += UInt64(bytes.count - FrameScanner.magicSize + 1)
        }
        return nil
    }

    /// Ends the search, since no frame of the stream follows: the file was cut, or the end of the stream is lost.
    private mutating func giveUp(_ broken: FoundFrame) throws(Failure) {
        if let table, table.lowerBound > position {
            reportGap(upTo: table.lowerBound, broken, matcher?.rest(after: position))
            return try endStream(at: table.upperBound)
        }
        let input = position..<file.size
        if case .cut = broken.ending, broken.frame.header != nil, isAllowed(broken.frame),
            case .cut(let size) = try trial(input, .max).verdict
        {
            let announced = broken.frame.header?.contentSize ?? 0
            // No disk holds 2^60 bytes: a header that announces them is damaged.
            let rest = announced < 1 << 60 ? announced - min(announced, size) : 0
            results.append(.streamed(input, contentSize: size, isCut: true))
            let lost = LossSize(size: rest, isFillable: false)
            results.append(.lost(file.size..<file.size, lost, "the file is cut within a frame"))
            hasFrames = true
        } else {
            reportGap(upTo: file.size, broken, nil, isFillable: false)
        }
        (position, streamEnd) = (file.size, .open)
    }

    // MARK: - Losses

    /// Reports everything between the last frame and an offset as lost.
    ///
    /// - Parameter listed: what is lost according to the table; nil if it can't tell.
    private mutating func reportGap(
        upTo end: UInt64, _ broken: FoundFrame, _ listed: LossSize?, isFillable: Bool = true
    ) {
        let input = position..<end
        if listed == nil, (try? isTornTable(input)) == true { return reportTornTable(input) }
        let guess = isAllowed(broken.frame) ? broken.contentSize(in: UInt64(input.count)) : nil
        results.append(.lost(input, listed ?? LossSize(size: guess ?? 0, isFillable: isFillable), reason(broken)))
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

    private func isTable(_ walk: FoundFrame) -> Bool { walk.frame.isSeekTable && walk.isWhole && walk.input == table }

    /// Reports that a stream lacks its end, so that frames of it may be missing.
    private mutating func reportMissingTable(of stream: String) {
        let reason = "\(stream) is cut: the seek table that its header announces is missing"
        results.append(.lost(position..<position, LossSize(isFillable: false), reason))
        streamEnd = .open
    }

    private mutating func reportTornTable(_ input: Range<UInt64>) {
        results.append(.lost(input, .nothing, "the seek table is damaged, or cut"))
        streams.accountedFor += 1
        (streamEnd, passed) = (.open, 0)
    }

    /// Whether bytes are the remains of a seek table with an entry for each frame that was passed: by the size in its
    /// header, if that reaches at least to their end or agrees with the footer, or by the size in the footer alone.
    private func isTornTable(_ input: Range<UInt64>) throws(Failure) -> Bool {
        let inFooter = try walking.tableSize(endingAt: input.upperBound)
        let start = try walking.bytes(at: input.lowerBound, atLeast: 8).bytes
        let isMagic = start.byteCount >= 8 && SeekTable.isMagic(start.extracting(..<4))
        let rest = isMagic ? UInt64(start.littleEndian(at: 4, as: UInt32.self)) : 0
        let inHeader = isMagic ? UInt64(FrameFormat.skippableHeaderSize) + rest : nil
        let size = UInt64(input.count)
        return [false, true].contains { hasChecksums in
            let entries = passed * SeekTable.entrySize(hasChecksums: hasChecksums)
            let whole = UInt64(FrameFormat.skippableHeaderSize + entries + SeekTable.footerSize)
            return whole == inHeader && (size <= whole || whole == inFooter) || whole == inFooter && whole == size
        }
    }
}
