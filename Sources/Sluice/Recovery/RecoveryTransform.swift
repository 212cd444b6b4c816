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
        guard var rest = chunk.bytes else {
            return Frame(bytes: .zeros(chunk.count), sourceSize: 0)
        }
        let (size, offset) = (chunk.count, chunk.offset)
        let frames = ledger.frames(at: offset)
        if frames.count > 1, case .success(let bytes) = try decode(chunk, with: &buffer) {
            ledger.didTry(at: offset, [.recovered(UInt64(bytes.count))])
            return Frame(bytes: bytes, sourceSize: size)
        }
        var (content, outcomes) = (Bytes(), [LossLedger.Outcome]())
        for frame in frames {
            let (bytes, outcome) = try attempt(rest.removeFirst(frame.input.count), frame, with: &buffer)
            content.append(bytes)
            outcomes.append(outcome)
        }
        ledger.didTry(at: offset, outcomes)
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

    /// The content of one frame, or the zeros in its place.
    private mutating func attempt(
        _ frame: Bytes, _ tried: TriedFrame, with buffer: inout GatherBuffer
    ) throws(Failure) -> (Bytes, LossLedger.Outcome) {
        let offset = tried.input.lowerBound
        switch try decode(Chunk(.memory(frame), at: offset, bound: Int(tried.bound)), with: &buffer) {
        case .success(let content): return (content, .recovered(UInt64(content.count)))
        case .failure(let failure):
            if let content = try heal(frame, offset: offset, with: &buffer) {
                return (content, .recovered(UInt64(content.count)))
            }
            return (.zeros(Int(clamping: ledger.zeros(for: tried.claim))), .lost(failure.message))
        }
    }

    /// The content of a frame that is damaged only in the sizes of its header, as its checksum proves; nil for others.
    private mutating func heal(
        _ frame: Bytes, offset: UInt64, with buffer: inout GatherBuffer
    ) throws(Failure) -> Bytes? {
        guard verifiesChecksums else { return nil }
        var frame = frame
        let start = frame.slice(0..<min(frame.count, FrameHeader.mostBytes)).elements
        guard let header = start.withUnsafeBytes({ FrameHeader(ofFrame: $0) }), header.hasChecksum else { return nil }
        _ = frame.removeFirst(header.size)
        // Decoding in one go uses the window only to bound blocks.
        let healed = Bytes(joining: [Bytes(header.withoutSizes(window: 128 << 20)), frame])
        guard let bound = try? Self.bound(of: healed), bound <= FrameCutter.slotSize else { return nil }
        let outcome = try decode(Chunk(.memory(healed), at: offset, bound: Int(bound)), with: &buffer)
        return try? outcome.get()
    }

    private static func bound(of frame: Bytes) throws(Failure) -> UInt64 {
        var (scanner, bound) = (FrameScanner(), UInt64.max)
        try frame.forEachRegion { region throws(Failure) in
            let ended = try codec(scanner.scan(region).ended)
            if let ended { bound = ended.decompressedBound }
        }
        return bound
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
