internal import Dispatch

/// Cuts compressed input into chunks of whole frames, and decides when to hand them on.
///
/// Small frames share a chunk; skippable frames are dropped. A frame that is too large to be held, or whose bytes stop
/// arriving, is handed on in segments. What follows in a foreign format is left to another cutter.
struct FrameCutter: ChunkCutter {
    /// What comes next.
    private enum State {
        /// Frames are gathered.
        case gathering
        /// The frame at the start of the input is complete, but decompresses to more than is held as a whole.
        case oversized(FrameScanner.Frame)
        /// The frame at the start of the input is handed on in segments.
        case streaming(SegmentQueue)
        /// The frames have ended; the chunks before that are handed on first.
        case ended(Failure?)
        /// What follows the frames is in a foreign format.
        case foreign(ForeignCutter)
    }

    /// Frames are gathered until they decompress to this many bytes.
    static let batchBound: UInt64 = 1 << 20
    /// How long to wait for a full segment before the bytes that have arrived are scanned.
    static let patience = DispatchTimeInterval.milliseconds(150)
    /// Consecutive short segments after which a frame counts as stalled, about half a second.
    private static let stallLimit = 3
    /// The most bytes of blocks with hardly any content in a frame that is held: beyond that, it may be an endless run
    /// of empty blocks.
    private static let mostOverhead: UInt64 = 64 << 10
    /// The most bytes that are read at once, if a frame ends there.
    private static let mostRead = 8 << 20
    /// Decompressed bytes that a slot bounds by default; a larger frame takes several slots.
    static let slotSize: UInt64 = 32 << 20

    private let reader: InputReader
    private(set) var room: ChunkCapacity
    private var scanner: CheckedScanner
    /// Says where frames end, for reads that bring them in one region; nil if nothing does.
    private let listed: ListedContents?
    /// Bytes that were read and not handed on, and where they begin in the input.
    private var held = (bytes: Bytes(), offset: UInt64(0))
    /// How many of them, at their start, are whole frames, and the most that these decompress to.
    private var whole = (count: 0, bound: UInt64(0))
    private var stalls = 0
    private var state = State.gathering
    /// Whether a frame that the end of the input cuts is handed on, as far as it has come.
    private let handsOnCutFrame: Bool
    /// How many workers share data in other formats; 1 if the run's transform can't begin within such data.
    private let memberWorkers: Int

    /// - Parameter offset: where the input begins in its file.
    init(
        _ reader: InputReader, from offset: UInt64 = 0, room: ChunkCapacity, limits: DecodingLimits,
        memberWorkers: Int = 1, handsOnCutFrame: Bool = false, listed: ListedContents? = nil
    ) {
        (self.reader, self.handsOnCutFrame, self.listed) = (reader, handsOnCutFrame, listed)
        self.room = room
        self.memberWorkers = memberWorkers
        held.offset = offset
        scanner = CheckedScanner(
            limits: limits, offset: offset, ignoresZeros: reader.source.ignoresZeros, mayBeginWithin: offset > 0)
    }

    mutating func next() throws(Failure) -> Chunk? {
        while true {
            switch state {
            case .foreign(var rest):
                defer { (state, room) = (.foreign(rest), rest.room) }
                return try rest.next()
            case .ended(let failure):
                if let chunk = try takeWhole() { return chunk }
                guard let failure else { return nil }
                if let chunk = try takeCutFrame(failure) { return chunk }
                state = .foreign(try foreignRest(after: failure))
            default:
                do {
                    if let chunk = try advance() { return chunk }
                } catch {
                    if case .streaming(let segments) = state {
                        // What has come of a frame is decoded to its end, where the decoder finds that it is cut.
                        if handsOnCutFrame, error.isOfCutFrame { segments.close() } else { segments.fail(error) }
                    }
                    state = .ended(error)
                }
            }
        }
    }

    func cancel() {
        switch state {
        case .streaming(let segments): segments.fail(.cancelled)
        case .foreign(let rest): rest.cancel()
        default: break
        }
    }

    /// The input after the frames, if they ended because a foreign format begins.
    ///
    /// - Throws: the failure itself if it has another reason, or `notRead` with the format.
    private mutating func foreignRest(after failure: Failure) throws(Failure) -> ForeignCutter {
        switch failure.codecFailure {
        case .notZstandard, .trailingBytes: break
        default: throw failure
        }
        let magic = held.bytes.slice(0..<min(held.bytes.count, ForeignFormat.magicSize)).elements
        guard let format = ForeignFormat(magic: magic) else { throw failure }
        try codec(scanner.finishFrames(at: held.offset))
        guard format.isRead else { throw held.offset == 0 ? .foreign(.notRead(format)) : failure }
        defer { held.bytes = Bytes() }
        return ForeignCutter(reader, first: held, room: room, workers: memberWorkers)
    }

    /// Scans the bytes that have arrived, or reads on; returns a chunk when there is one.
    private mutating func advance() throws(Failure) -> Chunk? {
        if case .oversized(let frame) = state { return try takeOversized(frame) }
        if scannedCount < held.bytes.count { return try scan() }
        if held.bytes.isEmpty, scanner.bytesToSkip > UInt64(SegmentCutter.segmentSize) { try skip() }
        if let chunk = try handOn() { return chunk }
        // With nothing held back, the first byte may take any time.
        var waits = scanner.current == nil && whole.count == 0
        if case .streaming = state { waits = true }
        // Of a header or a skippable frame that has stalled, nothing can be handed on before more comes.
        if stalls >= Self.stallLimit { waits = true }
        let size = readSize()
        guard let bytes = try reader.read(size, within: Self.patience, fromFirstByte: waits) else {
            try codec(scanner.finish())
            state = .ended(nil)
            return nil
        }
        stalls = bytes.count < size ? stalls + 1 : 0
        held.bytes.append(bytes)
        return nil
    }

    /// How many bytes to read next. A frame that lies in several regions would have to be copied.
    private func readSize() -> Int {
        let (size, place) = (SegmentCutter.segmentSize, held.offset + UInt64(held.bytes.count))
        if case .streaming = state { return size }
        let end = listed?.readEnd(from: place, about: size, atMost: Self.mostRead)
        return end.map { Int($0 - place) } ?? size
    }

    /// Passes over what is left of a skippable frame in a file: it may have 4 GiB.
    private mutating func skip() throws(Failure) {
        let count = UInt64(reader.skip(Int(scanner.bytesToSkip)))
        try codec(scanner.skip(count))
        held.offset += count
    }

    /// Scans up to the end of a frame or of the bytes that have arrived.
    private mutating func scan() throws(Failure) -> Chunk? {
        let ended = try scanFrame()
        if ended != nil { stalls = 0 }
        guard let frame = ended ?? scanner.current else { return nil }
        if frame.isSkippable {
            // A chunk has no gaps: the frames before a skippable one go first.
            let chunk = try takeWhole()
            _ = take(scannedCount)
            return chunk
        }
        if ended == nil { return nil }
        if case .streaming(let segments) = state {
            try push(to: segments)
            segments.close()
            state = .gathering
            return nil
        }
        if frame.decompressedBound > frameLimit {
            // A few bytes may become gigabytes. The frames before them go first.
            state = .oversized(frame)
            return try takeWhole()
        }
        whole = (scannedCount, whole.bound + frame.decompressedBound)
        return whole.bound >= Self.batchBound || whole.count >= SegmentCutter.segmentSize ? try takeWhole() : nil
    }

    /// Scans up to the end of a frame, which is returned, or of the bytes that have arrived.
    ///
    /// - Throws: what makes the input, or the frame, impossible to decode.
    private mutating func scanFrame() throws(Failure) -> FrameScanner.Frame? {
        var outcome = Result<FrameScanner.Frame?, CodecFailure>.success(nil)
        held.bytes.data.enumerateBytes { region, place, stop in
            let start = scannedCount - place
            guard start < region.count else { return }
            let bytes = region.span.bytes.extracting(start...)
            outcome = Result { () throws(CodecFailure) in try scanner.scan(bytes).ended }
            if case .success(nil) = outcome { return }
            stop = true
        }
        return try codec(outcome.get())
    }

    /// How many of the bytes that are held were scanned.
    private var scannedCount: Int { Int(scanner.offset - held.offset) }

    /// The most decompressed bytes for which the frame that was scanned last is held as a whole. For the first frame,
    /// these are those of a slot: a larger first frame is usually the only one, and holding it gains nothing.
    private var frameLimit: UInt64 {
        scanner.frameCount == (scanner.current == nil ? 1 : 0) ? room.slotSize : room.mostHeld
    }

    /// Hands on chunks that should not wait, now that everything is scanned.
    private mutating func handOn() throws(Failure) -> Chunk? {
        if case .streaming(let segments) = state {
            try push(to: segments)
            return nil
        }
        // Whichever is more: the header's claim, or what the blocks so far may decompress to.
        let bound = scanner.current.map { max($0.header?.contentSize ?? 0, $0.blockBound) } ?? 0
        let isTooLarge = bound > frameLimit || (scanner.current?.overhead ?? 0) > Self.mostOverhead
        // Complete frames don't wait for a slow input, and must leave before one that is streamed.
        if stalls > 0 || isTooLarge, let chunk = try takeWhole() { return chunk }
        guard let frame = scanner.current, frame.header != nil, isTooLarge || stalls >= Self.stallLimit else {
            return nil
        }
        let (offset, segments) = (held.offset, try begin(frame))
        state = .streaming(segments)
        return Chunk(.segments(segments), at: offset)
    }

    private mutating func takeOversized(_ frame: FrameScanner.Frame) throws(Failure) -> Chunk {
        state = .gathering
        let (offset, segments) = (held.offset, try begin(frame))
        segments.close()
        return Chunk(.segments(segments), at: offset)
    }

    /// Hands on the frame at the start of the input, as far as it was scanned.
    private mutating func begin(_ frame: FrameScanner.Frame) throws(Failure) -> SegmentQueue {
        let segments = try room.segments(window: frame.header?.windowSize ?? 0)
        try push(to: segments)
        return segments
    }

    private mutating func push(to segments: SegmentQueue) throws(Failure) {
        let bytes = take(scannedCount)
        if !bytes.isEmpty { try segments.push(bytes) }
    }

    private mutating func takeWhole() throws(Failure) -> Chunk? {
        guard whole.count > 0 else { return nil }
        let (count, bound, offset) = (whole.count, Int(whole.bound), held.offset)
        let slotCount = try room.take(for: bound)
        whole = (0, 0)
        return Chunk(.memory(take(count)), at: offset, bound: bound, slots: slotCount)
    }

    /// What has come of a frame that the end of the input cuts, if it was to be held; the failure comes after it.
    private mutating func takeCutFrame(_ failure: Failure) throws(Failure) -> Chunk? {
        guard handsOnCutFrame, failure.isOfCutFrame, !held.bytes.isEmpty, let frame = scanner.current,
            !frame.isSkippable, let header = frame.header
        else { return nil }
        // The last block may have begun.
        let (bound, offset) = (Int(frame.blockBound) + header.blockLimit, held.offset)
        let slotCount = try room.take(for: bound)
        return Chunk(.memory(take(held.bytes.count)), at: offset, bound: bound, slots: slotCount, context: CutFrame())
    }

    /// Takes bytes off the front.
    private mutating func take(_ count: Int) -> Bytes {
        held.offset += UInt64(count)
        return held.bytes.removeFirst(count)
    }
}

/// The chunk of a frame that the end of the input cuts.
struct CutFrame: ChunkContext {}

extension Failure {
    /// Whether the input ends within a frame.
    fileprivate var isOfCutFrame: Bool { if case .truncated = codecFailure { true } else { false } }
}
