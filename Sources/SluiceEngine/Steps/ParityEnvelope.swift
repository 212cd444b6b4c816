internal import Parity

/// The envelope of a stream with parity, around the one that it would have without.
///
/// The parity of a set is written before the frame after that with which the set ends. What the other envelope writes
/// is protected as frames are, but for the seek table, which lists the frames of parity, too.
struct ParityEnvelope: Envelope {
    private var inner: (any TableEnvelope)?
    private let encoder: Locked<ParityEncoder>
    /// Whether the last frame goes on.
    private var isContinued = false

    /// - Parameter inner: nil for a single frame without a table.
    init(
        around inner: (any TableEnvelope)?, _ share: ParityShare, _ shape: ParityEncoder.Shape = ParityEncoder.Shape()
    ) {
        self.inner = inner
        encoder = Locked(ParityEncoder(share, shape: shape))
    }

    var looksCompleteAfterFirst: Bool { inner?.looksCompleteAfterFirst ?? false }

    mutating func append(_ frame: ChunkResult) throws(Failure) -> [UInt8] {
        // Nothing would follow a batch before an empty result.
        var written = isContinued || frame.bytes.isEmpty ? [] : try writeBatch()
        let front = try inner?.append(frame) ?? []
        // Before the next set begins, which takes as much memory as the batch.
        written += front
        isContinued = frame.isContinued || inner?.isWithinFrame == true
        encoder.withLock { [bytes = frame.bytes, isContinued] encoder in
            encoder.append(front.span.bytes)
            bytes.forEachRegion { encoder.append($0) }
            if !isContinued { encoder.noteBoundary() }
        }
        return written
    }

    /// The parity of the sets that have ended.
    private mutating func writeBatch() throws(Failure) -> [UInt8] {
        guard encoder.withLock({ $0.isDue }) else { return [] }
        let front = inner?.beginTable() ?? []
        let sizes = encoder.withLock { encoder in
            encoder.append(front.span.bytes)
            return encoder.endBatch()
        }
        for size in sizes { inner?.append(skippable: size) }
        let frames = try takeBatch(tail: nil)
        return front.isEmpty ? frames : front + frames
    }

    private func takeBatch(tail: ParityDescription.Tail?) throws(Failure) -> [UInt8] {
        guard let frames = encoder.withLock({ $0.takeBatch(tail: tail) }) else {
            throw Failure(.parity, "is too long for parity: several files can have it")
        }
        return frames
    }

    func trailer() throws(Failure) -> [UInt8] {
        var inner = inner
        let last = try inner?.lastFrames() ?? []
        let sizes = encoder.withLock { encoder in
            encoder.append(last.span.bytes)
            return encoder.endBatch()
        }
        var table: [UInt8] = []
        if inner?.hasTable == true {
            for size in sizes { inner?.append(skippable: size) }
            table = inner?.encodedTable() ?? []
        }
        let frames = try takeBatch(tail: ParityDescription.Tail(table.span.bytes))
        if last.isEmpty, table.isEmpty { return frames }
        var trailer: [UInt8] = []
        trailer.reserveCapacity(last.count + frames.count + table.count)
        trailer += last
        trailer += frames
        trailer += table
        return trailer
    }
}
