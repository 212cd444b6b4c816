/// Searches a damaged file from front to back for frames and losses.
///
/// Frames follow one another: one whose blocks end where the next frame begins is accepted, and a worker finds out
/// whether it can be decoded. Where that chain breaks, every byte is searched for the next magic number, and a frame
/// there must prove itself first. Futile work is bounded, whatever the file contains.
struct FrameHunt {
    enum Find {
        /// Whole by its blocks and the bytes after them.
        case frame(TriedFrame)
        /// Already decoded once, to be decoded in segments.
        case proved(Range<UInt64>, contentSize: UInt64, isWhole: Bool)
        case lost(Range<UInt64>, Claim, String)
    }

    /// Bytes that are held for the search for magic numbers, and for walks from block to block.
    private static let windowSizes = (search: 1 << 20, walk: 64 << 10)
    /// The least cost of a futile trial, in bytes that could be decoded meanwhile.
    private static let leastWork: UInt64 = 64 << 10
    /// A walk over tiny frames takes longer than decoding as many bytes.
    private static let walkWork: UInt64 = 16
    /// The most frames that are looked at to place the first of them.
    private static let mostAhead = 1024
    static let damagedTable = "the seek table is damaged, or cut"

    let file: DamagedFile
    let limits: DecodingLimits
    /// A frame with more content is decoded in segments, in bytes.
    private let mostHeld: UInt64
    /// From where on there are zeros only, and whether they may follow any frame, and not only a seek table.
    private let zeros: (offset: UInt64, areIgnored: Bool)
    /// Whether the seek table of a stream was passed last.
    private var isBehindTable = false
    let proof: FrameTrial
    let walking: FileWindow
    let searching: FileWindow
    /// Nil if no seek table ends the file.
    var alignment: TableAlignment?

    var position: UInt64 = 0
    var finds: [Find] = []
    private var isOver = false
    /// Bytes of work that may still be futile.
    var patience: UInt64
    var last: FrameHeader?
    /// The frames of a stream that were passed: its seek table has an entry for each.
    var passed = 0
    /// Whether a stream header announced a seek table.
    var expectsTable = false
    /// Whether the last frame was neither followed by another one nor proved by a checksum: content of it may be lost.
    var isDoubtful = false
    /// Why the file does not begin with a frame, as long as none was found.
    private var objection: CodecFailure?

    init(
        _ file: DamagedFile, _ limits: DecodingLimits, _ dictionary: DecompressionDictionary?, mostHeld: UInt64,
        zeros: (offset: UInt64, areIgnored: Bool) = (.max, false)
    ) throws(Failure) {
        self.file = file
        self.limits = limits
        (self.mostHeld, self.zeros) = (mostHeld, zeros)
        proof = try FrameTrial(file, limits, dictionary)
        walking = try FileWindow(file, size: Self.windowSizes.walk)
        searching = try FileWindow(file, size: Self.windowSizes.search)
        // Only forged files need more than a little of it.
        patience = 2 << 30 + 64 * min(file.size, 1 << 50)
        alignment = try TableAlignment(walking)
    }

    /// The next frame or loss; nil at the end of the file.
    ///
    /// - Throws: why there is no frame at all.
    mutating func next() throws(Failure) -> Find? {
        while finds.isEmpty, !isOver {
            guard position < file.size, position < zeros.offset || !(zeros.areIgnored || isBehindTable) else {
                try finish()
                continue
            }
            let walk = try FrameWalk(from: position, in: walking)
            if try !follow(walk) { try resynchronise(walk) }
        }
        return finds.isEmpty ? nil : finds.removeFirst()
    }

    /// Accepts a frame where the last one ended.
    ///
    /// - Returns: false if there is none, or it does not prove itself.
    private mutating func follow(_ walk: FrameWalk) throws(Failure) -> Bool {
        guard walk.isWhole else {
            if case .flawed(let failure) = walk.ending { object(failure) }
            return false
        }
        let isFollowed = try Self.isStart(walk.end, in: walking, limits)
        guard !walk.frame.isSkippable else {
            guard isFollowed || walk.frame.annotation != nil else { return false }
            let claim = walk.frame.annotation == nil ? try lossOfTable(walk.input) : nil
            try pass(walk)
            isBehindTable = if case .seekTable = walk.frame.annotation { claim == nil } else { false }
            if let claim {
                (expectsTable, passed) = (false, 0)
                finds.append(.lost(walk.input, claim, Self.damagedTable))
            }
            return true
        }
        guard isAllowed(walk.frame) else { return false }
        if isFollowed, isHeld(walk) {
            try accept(walk) { claim in .frame(walk.tried(claim)) }
            return true
        }
        switch try proof.prove(walk.input, most: isFollowed ? .max : patience) {
        case .whole(let size):
            try accept(walk) { _ in .proved(walk.input, contentSize: size, isWhole: true) }
            isDoubtful = !isFollowed && walk.frame.header?.hasChecksum != true
        case .failed(let reason) where isFollowed:
            try accept(walk) { claim in .lost(walk.input, claim, reason) }
        default:
            spend(proof.work)
            return false
        }
        return true
    }

    func isHeld(_ walk: FrameWalk) -> Bool {
        max(walk.frame.decompressedBound, UInt64(walk.input.count)) <= mostHeld
    }

    mutating func isAllowed(_ frame: FrameScanner.Frame) -> Bool {
        do throws(CodecFailure) {
            try limits.check(frame)
            return true
        } catch {
            object(error)
            return false
        }
    }

    private mutating func object(_ failure: CodecFailure) { if last == nil, objection == nil { objection = failure } }

    mutating func spend(_ work: UInt64) { patience -= min(patience, max(work, Self.leastWork)) }

    /// Accepts a frame that follows the last one.
    private mutating func accept(_ walk: FrameWalk, _ find: (Claim) -> Find) throws(Failure) {
        let place = try place(walk, behind: position)
        findMissing(place.lost)
        isBehindTable = false
        finds.append(find(claim(of: walk, place.contentSize)))
        didPass(walk)
    }

    private mutating func findMissing(_ claim: Claim?) {
        guard let claim, claim.size > 0 else { return }
        finds.append(.lost(position..<position, claim, "frames are missing here"))
    }

    func isTable(_ walk: FrameWalk) -> Bool { walk.isSeekTable && walk.isWhole && walk.end == file.size }

    private func claim(of walk: FrameWalk, _ listed: UInt64?) -> Claim {
        let size = listed ?? walk.contentSize(in: UInt64(walk.input.count))
        return Claim(size: size ?? 0, isExact: size != nil)
    }

    mutating func didPass(_ walk: FrameWalk) {
        position = walk.end
        passed += 1
        isDoubtful = false
        last = walk.frame.header ?? last
    }

    private mutating func pass(_ walk: FrameWalk) throws(Failure) {
        passed += 1
        if walk.isSeekTable { (expectsTable, passed) = (false, 0) }
        if isOfOthers(walk) {
            alignment?.startOver(at: walk.end)
        } else {
            if case .streamHeader(let header) = walk.frame.annotation {
                if expectsTable { findMissingTable(of: "the stream in front") }
                expectsTable = !header.mayEndAnywhere
                // It follows the first frame of its stream.
                passed = 2
            }
            findMissing(try place(walk, behind: position).lost)
        }
        position = walk.end
    }

    /// Whether a frame is the seek table of another stream.
    private func isOfOthers(_ walk: FrameWalk) -> Bool {
        walk.isSeekTable && walk.end < file.size && alignment?.isNext(walk.found) != true
    }

    /// Assigns a frame to an entry of the seek table, by the frames that follow it if that is necessary.
    ///
    /// - Parameters:
    ///   - end: where the frame in front of it ended, or a copy that is left out.
    ///   - head: the content size in a header that begins at `position`.
    mutating func place(
        _ walk: FrameWalk, behind end: UInt64, head: UInt64? = nil
    ) throws(Failure) -> TableAlignment.Place {
        let (found, position) = (walk.found, position)
        // Never as a copy: it would be one of all entries, for each frame.
        guard let isExpected = alignment?.expects(found, after: end) else { return .init() }
        var run: [FoundFrame]? = []
        if !isExpected, patience > 0 { run = try self.run(from: walk, behind: end) }
        guard let run else { return .init() }
        return alignment?.place(found, run, after: position, head: head) ?? .init()
    }

    /// The frames that follow one another from one on; nil if a table of another stream ends them.
    ///
    /// After a gap, those up to the first that tells its place are enough: within a chain, a frame may stand elsewhere.
    private mutating func run(from start: FrameWalk, behind end: UInt64) throws(Failure) -> [FoundFrame]? {
        let isAfterGap = end < start.frame.offset
        var (walk, run) = (start, [FoundFrame]())
        while walk.isWhole, run.count < Self.mostAhead {
            if isOfOthers(walk) { return nil }
            run.append(walk.found)
            if isAfterGap, alignment?.shiftTold(by: walk.found) != nil { break }
            guard walk.end < file.size, try Self.isStart(walk.end, in: walking, limits) else { break }
            walk = try FrameWalk(from: walk.end, in: walking)
        }
        // After a gap all of them are accepted: no later run begins among them.
        if !isAfterGap { spend(Self.walkWork * (walk.end - start.frame.offset)) }
        return run
    }

    /// Whether a frame that the limits allow begins at an offset, or the file ends.
    static func isStart(_ offset: UInt64, in window: FileWindow, _ limits: DecodingLimits) throws(Failure) -> Bool {
        if offset == window.file.size { return true }
        let bytes = try window.bytes(at: offset, atLeast: 32)
        let probe = UnsafeRawBufferPointer(rebasing: bytes.prefix(32))
        guard FrameScanner.isFrame(probe), window.file.isLegible(offset..<offset + 4) else { return false }
        var scanner = CheckedScanner(limits: limits, offset: offset)
        return (try? scanner.scan(probe)) != nil
    }

    /// Why nothing can be recovered of a file in which no frame was found.
    private func failureWithoutFrames() throws(Failure) -> Failure {
        if !file.unreadable.isEmpty { return .reading(.ioError) }
        let start = try walking.bytes(at: 0, atLeast: UInt64(ForeignFormat.magicSize))
        guard let format = ForeignFormat(magic: start) else { return .codec(objection ?? .notZstandard) }
        return .foreign(format.isRead ? .notRecovered(format) : .notRead(format))
    }

    private mutating func finish() throws(Failure) {
        isOver = true
        if last == nil {
            let failure = try failureWithoutFrames()
            throw failure
        }
        if alignment?.isReordered == true {
            finds.append(.lost(position..<position, .nothing, "the seek table lists the frames in another order"))
        }
        if expectsTable { findMissingTable(of: "the file") }
    }

    /// Finds that a stream has no end, so that frames of it may be missing.
    private mutating func findMissingTable(of stream: String) {
        let reason = "\(stream) is cut: the seek table that its header announces is missing"
        finds.append(.lost(position..<position, Claim(isInside: false), reason))
    }
}
