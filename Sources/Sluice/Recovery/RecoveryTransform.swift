internal import ZstdCodec

/// Frames become their content, and those that do not, as many zeros as the ledger says.
struct RecoveryTransform: Transform, ~Copyable {
    private let ledger: LossLedger
    private var decompression: DecompressTransform
    /// For what comes in parts, if anything does.
    private var decoder: FrameDecoder?
    private var partMemory = 0
    private let limits: DecodingLimits
    private let dictionary: DecompressionDictionary?
    /// Where the frame in parts begins, once it has begun.
    private var hasBegun = false
    private var hasEnded = false

    init(
        _ ledger: LossLedger, limits: DecodingLimits, dictionary: DecompressionDictionary?
    ) throws(Failure) {
        self.ledger = ledger
        self.limits = limits
        self.dictionary = dictionary
        decompression = try DecompressTransform(limits: limits, dictionary: dictionary)
    }

    var memory: Int { decompression.memory + partMemory }

    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        if case .zeros(let count) = copy load { return Frame(bytes: .zeros(count), sourceSize: 0, slots: slots) }
        let (size, frames, again) = (load.count, ledger.frames(at: offset), copy load)
        // Most often all of them are whole.
        if frames.count > 1, let bytes = try decode(load, bound: bound, offset: offset, slots) {
            ledger.didTry(at: offset, [.recovered(UInt64(bytes.count))])
            return Frame(bytes: bytes, sourceSize: size, slots: slots)
        }
        guard case .bytes(var rest) = again else { return Frame(bytes: Bytes(), sourceSize: size, slots: slots) }
        var (content, outcomes) = (Bytes(), [LossLedger.Outcome]())
        for frame in frames {
            let (bytes, outcome) = try attempt(rest.removeFirst(frame.input.count), frame, slots)
            content.append(bytes)
            outcomes.append(outcome)
        }
        ledger.didTry(at: offset, outcomes)
        return Frame(bytes: content, sourceSize: size, slots: slots)
    }

    /// - Returns: nil for what can't be decoded.
    private mutating func decode(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, _ slots: Slots
    ) throws(Failure) -> Bytes? {
        do throws(Failure) {
            return try decompression.apply(load, bound: bound, offset: offset, slots: slots).bytes
        } catch {
            guard error.code == .codec else { throw error }
            return nil
        }
    }

    /// What one frame becomes, or what stands in its place.
    private mutating func attempt(
        _ bytes: Bytes, _ frame: TriedFrame, _ slots: Slots
    ) throws(Failure) -> (Bytes, LossLedger.Outcome) {
        let offset = frame.input.lowerBound
        do throws(Failure) {
            let bytes = try decompression.apply(.bytes(bytes), bound: Int(frame.bound), offset: offset, slots: slots)
                .bytes
            return (bytes, .recovered(UInt64(bytes.count)))
        } catch {
            guard error.code == .codec else { throw error }
            if let bytes = try heal(bytes, offset: offset, slots) { return (bytes, .recovered(UInt64(bytes.count))) }
            return (.zeros(Int(clamping: ledger.zeros(for: frame.claim))), .lost(error.message))
        }
    }

    /// What a frame holds of which only the sizes in the header are wrong, as its checksum proves; nil for any other.
    private mutating func heal(_ frame: Bytes, offset: UInt64, _ slots: Slots) throws(Failure) -> Bytes? {
        guard limits.verifiesChecksums else { return nil }
        var frame = frame
        let start = frame.slice(0..<min(frame.count, FrameHeader.mostBytes)).elements
        guard let (header, replaced) = start.withUnsafeBytes(FrameHeader.withoutSizes) else { return nil }
        _ = frame.removeFirst(replaced)
        var healed = Bytes(header)
        healed.append(frame)
        guard let bound = try? Self.bound(of: healed), bound <= FrameCutter.slotSize else { return nil }
        return try decode(.bytes(healed), bound: Int(bound), offset: offset, slots)
    }

    /// What a frame can decompress to at most, in bytes.
    private static func bound(of frame: Bytes) throws(Failure) -> UInt64 {
        var (scanner, bound) = (FrameScanner(), UInt64.max)
        try frame.forEachRegion { region throws(Failure) in
            let ended = try codec { () throws(CodecFailure) in try scanner.scan(region).ended }
            if let ended { bound = ended.decompressedBound }
        }
        return bound
    }

    mutating func begin() throws(Failure) {
        if decoder == nil {
            decoder = try FrameDecoder(limits: limits, dictionary: dictionary, checksum: FrameChecksum())
        }
        (hasBegun, hasEnded) = (false, false)
    }

    /// Of a frame that was decoded before, up to its end or to that of the file.
    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        if !hasBegun {
            decoder?.begin(at: offset)
            try decoder?.beginFrame()
            hasBegun = true
        }
        if hasEnded {
            part = UnsafeRawBufferPointer(start: nil, count: 0)
            return (0, true)
        }
        let (written, isEnd, _) = try decoder?.decode(&part, into: output) ?? (0, true, false)
        hasEnded = isEnd
        partMemory = max(partMemory, decoder?.memory ?? 0)
        return (written, part.isEmpty && (hasEnded || written < output.count))
    }

    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void) { decoder?.handOn(piece, leave: leave) }

    func settle() { decoder?.settle() }
}

extension Bytes {
    private static let zeroBlock = Bytes([UInt8](repeating: 0, count: 1 << 20))

    /// So many zeros, which all lie in the same memory.
    static func zeros(_ count: Int) -> Bytes {
        var zeros = Bytes()
        while zeros.count < count {
            zeros.append(zeroBlock.slice(0..<min(zeroBlock.count, count - zeros.count)))
        }
        return zeros
    }
}
