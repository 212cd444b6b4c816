/// Decompresses frames of a damaged file; in place of one that can't be decoded go the zeros that the ledger says.
struct RecoveryTransform: Transform, ~Copyable {
    private let ledger: LossLedger
    private var decompression: DecompressTransform
    private let verifiesChecksums: Bool

    init(_ ledger: LossLedger, limits: DecodingLimits, dictionary: DecompressionDictionary?) throws(Failure) {
        (self.ledger, verifiesChecksums) = (ledger, limits.verifiesChecksums)
        decompression = try DecompressTransform(limits: limits, dictionary: dictionary)
    }

    mutating func apply(
        _ chunk: consuming Chunk, with buffer: inout GatherBuffer
    ) throws(Failure) -> Frame {
        guard var rest = chunk.bytes, let tried = chunk.place as? TriedFrames else {
            return Frame(bytes: .zeros(chunk.count), sourceSize: 0)
        }
        let size = chunk.count
        if tried.frames.count > 1, !tried.illegible.contains(true),
            case .success(let bytes) = try decode(chunk, with: &buffer)
        {
            ledger.note(tried.number, [.recovered(UInt64(bytes.count))])
            return Frame(bytes: bytes, sourceSize: size)
        }
        var (content, outcomes) = (Bytes(), [LossLedger.Outcome]())
        for (frame, isIllegible) in zip(tried.frames, tried.illegible) {
            let bytes = rest.removeFirst(frame.input.count)
            var reason = "it can't be read"
            if !isIllegible {
                switch try attempt(bytes, frame, with: &buffer) {
                case .success(let bytes):
                    content.append(bytes)
                    outcomes.append(.recovered(UInt64(bytes.count)))
                    continue
                case .failure(let failure): reason = failure.message
                }
            }
            content.append(.zeros(Int(clamping: ledger.zeros(for: frame.claim))))
            outcomes.append(.lost(frame.input, frame.claim, reason))
        }
        ledger.note(tried.number, outcomes)
        return Frame(bytes: content, sourceSize: size)
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

    /// The content of one frame, even of one that is damaged only in the sizes of its header: its checksum proves it.
    private mutating func attempt(
        _ frame: Bytes, _ tried: TriedFrame, with buffer: inout GatherBuffer
    ) throws(Failure) -> Result<Bytes, Failure> {
        let offset = tried.input.lowerBound
        let outcome = try decode(Chunk(.memory(frame), at: offset, bound: Int(tried.bound)), with: &buffer)
        let start = frame.slice(0..<min(frame.count, FrameHeader.mostBytes)).elements
        guard case .failure = outcome, verifiesChecksums,
            let header = start.withUnsafeBytes({ FrameHeader(ofFrame: $0) }), header.hasChecksum
        else { return outcome }
        // Decoding in one go uses the window only to bound blocks.
        let blocks = frame.slice(header.size..<frame.count)
        let healed = Bytes(joining: [Bytes(header.withoutSizes(window: 128 << 20)), blocks])
        let second = try decode(Chunk(.memory(healed), at: offset, bound: Int(FrameCutter.slotSize)), with: &buffer)
        if case .success = second { return second }
        return outcome
    }

    /// Decodes a frame that was decoded before, up to its end or that of the file.
    mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
        do throws(Failure) {
            try decompression.apply(segment, to: &output)
        } catch {
            // That the frame is cut is known, and all that it has was written.
            guard case .truncated? = error.codecFailure else { throw error }
        }
    }
}
