internal import DequeModule

/// Decompresses every intact frame of a damaged regular file. `Summary.lost` lists what is lost, and the run succeeds.
///
/// First, a strict walk over headers gives the verdict on the file (`FileVerdict`). Where it has no complaint, frames
/// follow one another, as for `Decompression`. Otherwise a scan finds them: where the chain of frames breaks, the next
/// one that proves itself is taken, and the seek tables show where content belongs. If the file was cut, the last frame
/// is decoded up to the cut. The run fails with `noFile` if the source is not a file, and with `codec` or `foreign` if
/// it is damaged and doesn't have any frame.
package struct Recovery: DecodingOperation {
    package var decompression: Decompression
    private let filling: LossFilling
    /// Whether parity is used.
    private let repairs: Bool
    /// The memory in bytes that a limit leaves for parity; nil without a limit.
    private var allowed: Int?
    /// The memory for the parity at the end of the file.
    private(set) var parityMemory: Int
    private let didLeaveOut: @Sendable (UnusedParity) -> Void

    /// - Parameters:
    ///   - filling: what becomes of content that is lost.
    ///   - decompression: frames that it refuses are lost.
    package init(_ filling: LossFilling = .zeros, _ decompression: Decompression = Decompression()) {
        (self.filling, self.decompression) = (filling, decompression)
        (repairs, parityMemory, didLeaveOut) = (false, 0, { _ in })
    }

    /// A recovery that uses the parity of the file.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - didLeaveOut: receives what is not used of the parity.
    /// - Throws: `reading`.
    package init(
        repairing source: Source, _ filling: LossFilling = .zeros, _ decompression: Decompression = Decompression(),
        didLeaveOut: @escaping @Sendable (UnusedParity) -> Void = { _ in }
    ) throws(Failure) {
        (self.filling, self.decompression) = (filling, decompression)
        (repairs, self.didLeaveOut) = (true, didLeaveOut)
        parityMemory = try CheckedParity.memory(of: source)
    }

    // Only that of parity is saved: frames with large windows would be lost.
    package mutating func reduceMemory(by reduction: MemoryReduction) -> Bool {
        guard reduction == .frames, parityMemory > 0 else { return false }
        parityMemory = 0
        return true
    }

    package func parityMemory(inputSize: UInt64?) -> Int? { parityMemory > 0 ? parityMemory : nil }
    package mutating func allowParity(_ bytes: Int) { allowed = bytes }

    package func memory(of size: RunSize) -> Int {
        decompression.memory(of: size) + parityMemory
    }

    package func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        // Frames are looked for one after another, in small steps.
        source = source.readAhead
        return nil
    }

    package func run(on engine: Engine) throws(Failure) {
        var room = decompression.chunks(on: engine)
        let (source, file, repaired) = try repairedSource(engine, &room)
        let size = file.size
        let (limits, dictionary) = (decompression.ownLimits, decompression.dictionary)
        let listed = decompression.comparesTable ? ListedContents(source, isDamaged: true) : nil
        defer { listed?.close() }
        let verdict = try FileVerdict(of: file, limits, ignoresZeros: source.ignoresZeros)
        let complaint = verdict.failure?.description ?? (file.unreadable.isEmpty ? nil : "some of it can't be read")
        engine.ledger.begin(filling, complaint: complaint)
        let trial = try TrialDecoder(file, limits, dictionary, listed).prove
        var cutter = RecoveryCutter(
            file: file, source: source, wrong: repaired?.wrong ?? RepairedSource.Wrong(), limits: limits, room: room,
            ledger: engine.ledger, reader: engine.reader, monitor: engine.job.monitor)
        if complaint == nil {
            cutter.sound = try SoundFrames(file, verdict, trial, mostHeld: room.mostHeld)
            cutter.scanAfter = { sound throws(Failure) in
                try RecoveryScan(file, verdict, limits, trial, mostHeld: room.mostHeld, after: sound)
            }
        } else {
            // If the end can't be read, it counts as lost, not as zeros.
            let zeros = (try? source.zerosOffset(latch: engine.latch)) ?? size
            // Nothing was in place of zeros after a seek table: what it lists is before it.
            if zeros < size, try file.endsInTable(at: zeros) { file.size = zeros }
            cutter.scan = try RecoveryScan(
                file, verdict, limits, trial, mostHeld: room.mostHeld, zeros: (zeros, source.ignoresZeros))
        }
        try engine.run(&cutter) { [ledger = engine.ledger] () throws(Failure) in
            try RecoveryTransform(ledger, limits: limits, dictionary: dictionary, listed: listed)
        }
        engine.ledger.end(at: size, isAccountedFor: cutter.scan?.isAccountedFor == true)
        if let repaired { engine.ledger.noteRepaired(repaired.repaired.places, repaired.repaired.bytes) }
    }

    /// What is read: the file, or that as its parity repairs it. Sectors that can't be read are tried once.
    private func repairedSource(
        _ engine: Engine, _ room: inout ChunkCapacity
    ) throws(Failure) -> (Source, DamagedFile, RepairedSource?) {
        let source = engine.reader.source
        guard source.isRandomAccess else { throw .noFile }
        guard let size = source.size else { throw .codec(.empty) }
        if !repairs { return (source, DamagedFile(source, size: size, latch: engine.latch), nil) }
        let (repaired, unreadable) = try RepairedSource.repairing(
            source, decompression, &room, mostMemory: CheckedParity.mostMemory(allowed), engine.latch,
            didLeaveOut: didLeaveOut)
        guard let repaired else {
            return (source, DamagedFile(source, size: size, latch: engine.latch, unreadable: unreadable), nil)
        }
        var whole = Source(repaired)
        whole.ignoresZeros = source.ignoresZeros
        // What is read ahead is the file itself, where it is on a server: a set is not computed for bytes that may not
        // be read.
        return (
            whole,
            DamagedFile(whole, size: UInt64(repaired.size), latch: engine.latch, isRemote: source.ranges != nil),
            repaired
        )
    }
}

extension Source {
    /// Where the trailing zeros of a file begin; nil if its last byte is not zero.
    fileprivate func zerosOffset(latch: FailureLatch) throws(Failure) -> UInt64? {
        guard let size, size > 0, try bytes(at: size - 1, count: 1) == [0] else { return nil }
        let memory = HeapMemory(try OutputBuffer.allocate(1 << 20))
        var end = size
        while end > 0 {
            try latch.check()
            let start = end - min(end, UInt64(memory.writable.count))
            let piece = memory.writable.extracting(..<Int(end - start))
            try read(start..<end, into: piece)
            if !piece.bytes.areZeros, let last = piece.lastIndex(where: { $0 != 0 }) { return start + UInt64(last) + 1 }
            end = start
        }
        return 0
    }
}

/// The frames of a chunk, which follow one another.
struct TriedFrames: ChunkContext {
    /// The number of results before them.
    let number: Int
    let frames: [TriedFrame]
    /// For each of them, whether some of it could not be read.
    let illegible: [Bool]
    /// For each of them, what parity knows against it though it decodes; nil for nothing.
    let doubts: [String?]
}

/// Cuts a damaged file into the frames that are found in it, and zeros for the losses between them.
struct RecoveryCutter: ChunkCutter {
    /// Frames of one chunk, which wait in memory until they are decoded.
    private static let mostFrames = 4096

    let file: DamagedFile
    let source: Source
    /// What parity knows to be wrong.
    let wrong: RepairedSource.Wrong
    /// How many places of it have been told.
    var told = 0
    /// What finds the frames: one of these.
    var sound: SoundFrames?
    var scan: RecoveryScan?
    /// Makes a scan that goes on where a sound file can't be read any more.
    var scanAfter: ((SoundFrames) throws(Failure) -> RecoveryScan)?
    let limits: DecodingLimits
    /// A frame that the scan tries takes one of its windows, too.
    var room: ChunkCapacity
    let ledger: LossLedger
    let reader: InputReader
    let monitor: Monitor?
    /// Zeros that are not handed on yet.
    var zeros: UInt64 = 0
    /// What was found, and is not handed on yet.
    var found: RecoveryResult?
    /// What was found after bytes that are missing.
    var waiting: RecoveryResult?
    /// The number of results that were handed on.
    var count = 0
    var feed = SegmentFeed()

    mutating func next() throws(Failure) -> Chunk? {
        try feed.run { [self] range throws(Failure) in
            let start = StageSpan.now()
            let bytes = try read(range)
            countRead(UInt64(range.count), since: start)
            return bytes
        }
        while zeros == 0 {
            guard let result = try nextResult() else { return nil }
            defer { count += 1 }
            switch result {
            case .lost(let input, let loss, let reason):
                zeros = ledger.zeros(for: loss)
                ledger.note(count, [.lost(input, loss, reason)])
                countRead(UInt64(input.count))
            case .held(let frame): return try chunk(of: batch(from: frame))
            case .streamed(let input, let size, let isCut):
                let doubt = try doubt(about: input)
                ledger.note(count, [.recovered(size)] + (doubt.map { [.doubt($0, about: input)] } ?? []))
                if isCut { ledger.noteUnproved() }
                return try feed.begin(input, of: source, in: room)
            }
        }
        // Zeros in the place of lost content, as many at a time as a slot holds.
        let size = Int(min(zeros, FrameCutter.slotSize))
        zeros -= UInt64(size)
        return Chunk(.hole(size), at: 0, bound: size)
    }

    mutating func cancel() { feed.cancel() }

    private mutating func nextResult() throws(Failure) -> RecoveryResult? {
        if let result = found.take() { return result }
        var result = waiting.take()
        if result == nil { result = try search() }
        // What parity misses is told in its place.
        if told < wrong.places.count, result.map({ wrong.places[told].offset <= $0.start }) ?? true {
            let (place, reason) = wrong.places[told]
            (told, waiting) = (told + 1, result)
            return .lost(place..<place, .unknown, reason)
        }
        return result
    }

    private mutating func search() throws(Failure) -> RecoveryResult? {
        // The scan tries frames itself, also those with a large window.
        guard room.windows.take() else { throw .cancelled }
        defer { room.windows.give() }
        if let result = try sound?.next() { return result }
        if let sound, sound.end != nil, scan == nil { scan = try scanAfter?(sound) }
        if let result = try scan?.next() { return result }
        if sound == nil, scan?.hasFrames == false { throw try failureWithoutFrames() }
        return nil
    }

    /// Why nothing can be recovered of a file in which no frame was found.
    private func failureWithoutFrames() throws(Failure) -> Failure {
        if !file.unreadable.isEmpty { return .reading(.ioError) }
        let start = try source.bytes(at: 0, count: Int(min(32, file.size))) ?? []
        if let format = ForeignFormat(magic: start) {
            return .foreign(format.isRead ? .notRecovered(format) : .notRead(format))
        }
        var scanner = CheckedScanner(limits: limits)
        do throws(CodecFailure) {
            _ = try scanner.scan(start.span.bytes)
            return .codec(.notZstandard)
        } catch { return .codec(error) }
    }

    /// A frame, and the small ones that follow it: a chunk for each would cost more than decoding.
    private mutating func batch(from first: TriedFrame) throws(Failure) -> [TriedFrame] {
        var (frames, last, content) = ([first], first, first.bound)
        while frames.count < Self.mostFrames, let result = try nextResult() {
            guard case .held(let frame) = result, frame.input.lowerBound == last.input.upperBound,
                content + frame.bound <= FrameCutter.batchBound,
                frame.input.upperBound - first.input.lowerBound <= SegmentCutter.segmentSize
            else {
                found = result
                break
            }
            (last, content) = (frame, content + frame.bound)
            frames.append(frame)
        }
        return frames
    }

    private mutating func chunk(of frames: [TriedFrame]) throws(Failure) -> Chunk {
        let bound = Int(frames.reduce(0) { $0 + $1.bound })
        let input = frames[0].input.lowerBound..<frames[frames.count - 1].input.upperBound
        let slotCount = try room.take(for: bound)
        let start = StageSpan.now()
        let bytes = try read(input)
        countRead(UInt64(input.count), since: start)
        let tried = TriedFrames(
            number: count, frames: frames, illegible: frames.map { !file.isLegible($0.input) },
            doubts: try frames.map { frame throws(Failure) in try doubt(about: frame.input) })
        return Chunk(.memory(bytes), at: input.lowerBound, bound: bound, slots: slotCount, context: tried)
    }

    /// Why a frame that decodes is not what was written, or may not be because no checksum tells.
    private func doubt(about frame: Range<UInt64>) throws(Failure) -> String? {
        if wrong.foreign.isEmpty, wrong.rotten.isEmpty { return nil }
        if wrong.foreign.meets(frame) { return "it decodes, but its parity shows that it was not written there" }
        if !wrong.rotten.meets(frame) { return nil }
        if limits.verifiesChecksums {
            let start = try FileBlocks(file: file).bytes(
                at: frame.lowerBound, most: min(frame.count, FrameHeader.mostBytes))
            if FrameHeader(ofFrame: start.span.bytes)?.hasChecksum == true { return nil }
        }
        return "it decodes, but its parity shows that it has rotted"
    }

    private func read(_ range: Range<UInt64>) throws(Failure) -> Bytes {
        try reader.waitForRate(range.count)
        let buffer = try OutputBuffer(capacity: range.count)
        try file.read(at: range.lowerBound, into: buffer.memory)
        return buffer.finish(count: range.count)
    }

    /// Reports how far the file was searched.
    private func countRead(_ count: UInt64, since start: UInt64 = StageSpan.now()) {
        reader.count(Int(count))
        monitor?.record(StageSpan(stage: .read, bytes: Int(count), start: start))
    }
}

extension LossLedger.Outcome {
    /// A frame decodes, though it may not be what was written.
    fileprivate static func doubt(_ reason: String, about frame: Range<UInt64>) -> Self {
        .lost(frame.lowerBound..<frame.lowerBound, .nothing, reason)
    }
}

extension RecoveryResult {
    /// Where it begins.
    fileprivate var start: UInt64 {
        switch self {
        case .held(let frame): frame.input.lowerBound
        case .streamed(let input, _, _), .lost(let input, _, _): input.lowerBound
        }
    }
}

/// Decompresses frames of a damaged file, and replaces one that can't be decoded by zeros if the ledger says so.
struct RecoveryTransform: Transform, ~Copyable {
    private let ledger: LossLedger
    private var decompression: DecompressTransform
    private let verifiesChecksums: Bool

    init(
        _ ledger: LossLedger, limits: DecodingLimits, dictionary: DecompressionDictionary?, listed: ListedContents?
    ) throws(Failure) {
        self.ledger = ledger
        verifiesChecksums = limits.verifiesChecksums
        decompression = try DecompressTransform(limits: limits, dictionary: dictionary, listed: listed)
    }

    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> ChunkResult {
        guard var rest = chunk.bytes, let tried = chunk.context as? TriedFrames else {
            return ChunkResult(bytes: .zeros(chunk.count), sourceSize: 0)
        }
        let size = chunk.count
        // Usually all frames are intact, and decoded at once; if not, one by one, to find the damaged ones.
        if tried.frames.count > 1, !tried.illegible.contains(true), tried.doubts.allSatisfy({ $0 == nil }),
            case .success(let bytes) = try decode(chunk, with: &buffer)
        {
            ledger.note(tried.number, [.recovered(UInt64(bytes.count))])
            return ChunkResult(bytes: bytes, sourceSize: size)
        }
        var (content, outcomes) = (Bytes(), [LossLedger.Outcome]())
        for (frame, (isIllegible, doubt)) in zip(tried.frames, zip(tried.illegible, tried.doubts)) {
            let bytes = rest.removeFirst(frame.input.count)
            var reason = "it can't be read"
            if !isIllegible {
                let (bytes, failure) = try attempt(bytes, frame, with: &buffer)
                if let bytes {
                    content.append(bytes)
                    outcomes.append(.recovered(UInt64(bytes.count)))
                    let place = frame.input.lowerBound
                    if let failure { outcomes.append(.lost(place..<place, .nothing, failure.message)) }
                    if let doubt { outcomes.append(.doubt(doubt, about: frame.input)) }
                    continue
                }
                reason = failure?.message ?? reason
            }
            content.append(.zeros(Int(clamping: ledger.zeros(for: frame.loss))))
            outcomes.append(.lost(frame.input, frame.loss, reason))
        }
        ledger.note(tried.number, outcomes)
        return ChunkResult(bytes: content, sourceSize: size)
    }

    /// - Returns: the content, or why it can't be decoded.
    private mutating func decode(
        _ chunk: consuming Chunk, with buffer: inout GatherBuffer
    ) throws(Failure) -> Result<Bytes, Failure> {
        do throws(Failure) {
            return .success(try decompression.apply(chunk, with: &buffer).bytes)
        } catch {
            guard error.codecFailure != nil else { throw error }
            return .failure(error)
        }
    }

    /// The content of one frame, and why it can't be decoded as it is. A frame that is damaged only in the sizes of its
    /// header has both: its checksum proves it.
    private mutating func attempt(
        _ frame: Bytes, _ tried: TriedFrame, with buffer: inout GatherBuffer
    ) throws(Failure) -> (content: Bytes?, failure: Failure?) {
        let offset = tried.input.lowerBound
        let failure: Failure
        switch try decode(Chunk(.memory(frame), at: offset, bound: Int(tried.bound)), with: &buffer) {
        case .success(let content): return (content, nil)
        case .failure(let reason): failure = reason
        }
        let start = frame.slice(0..<min(frame.count, FrameHeader.mostBytes)).elements
        guard verifiesChecksums, let header = FrameHeader(ofFrame: start.span.bytes), header.hasChecksum
        else { return (nil, failure) }
        // Decoding in one go uses the window only to bound blocks.
        let blocks = frame.slice(header.size..<frame.count)
        let healed = Bytes(joining: [Bytes(header.withoutSizes(window: 128 << 20)), blocks])
        let second = try decode(Chunk(.memory(healed), at: offset, bound: Int(FrameCutter.slotSize)), with: &buffer)
        return (try? second.get(), failure)
    }

    /// Decodes a frame that was decoded before, up to its end or that of the file.
    mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
        do throws(Failure) {
            try decompression.apply(segment, to: &output)
        } catch {
            // It is known that the frame is cut, and all its content was written.
            guard case .truncated? = error.codecFailure else { throw error }
        }
    }
}
