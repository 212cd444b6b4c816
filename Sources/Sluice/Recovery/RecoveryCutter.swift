internal import DequeModule

/// Cuts a damaged file into the frames that are found in it, and zeros for the losses between them.
struct RecoveryCutter: ChunkCutter {
    /// Frames of one chunk, which the ledger keeps until they are decoded.
    private static let mostFrames = 4096

    var hunt: FrameHunt
    /// Its windows are also for a frame that is tried.
    var room: ChunkRoom
    let ledger: LossLedger
    let reader: ChunkReader
    let monitor: Monitor?
    /// Zeros that are not handed on yet.
    var zeros: UInt64 = 0
    /// Finds that are not handed on yet.
    var found: Deque<FrameHunt.Find> = []
    /// The number of next frames that come alone, because one of them can't be read.
    var alone = 0
    var feed = SegmentFeed()

    mutating func next() throws(Failure) -> Chunk? {
        try feed.run { [self] range throws(Failure) in
            let start = Span.now()
            let bytes = try read(range)
            pass(UInt64(range.count), since: start)
            return bytes
        }
        while zeros == 0 {
            guard let find = try nextFind() else { return nil }
            switch find {
            case .lost(let input, let claim, let reason):
                zeros = ledger.lose(input, claim, reason)
                pass(UInt64(input.count))
            case .frame(let frame):
                if let chunk = try whole(batch(from: frame)) { return chunk }
            case .proved(let input, let size, let isWhole):
                ledger.recover(input, contentSize: size, isProved: isWhole)
                return try feed.begin(input, of: reader.source, in: room)
            }
        }
        let count = Int(min(zeros, FrameCutter.slotSize))
        zeros -= UInt64(count)
        return Chunk(.hole(count), at: 0, bound: count)
    }

    mutating func cancel() { feed.cancel() }

    private mutating func nextFind() throws(Failure) -> FrameHunt.Find? {
        if let find = found.popFirst() { return find }
        // Frames that are not held are tried.
        guard room.windows.take() else { throw .cancelled }
        defer { room.windows.give() }
        return try hunt.next()
    }

    /// A frame, and the small ones that follow it: a chunk for each would cost more than decoding.
    private mutating func batch(from first: TriedFrame) throws(Failure) -> [TriedFrame] {
        var (frames, last, content) = ([first], first, first.bound)
        if alone > 0 {
            alone -= 1
            return frames
        }
        while frames.count < Self.mostFrames, let find = try nextFind() {
            guard case .frame(let frame) = find, frame.input.lowerBound == last.input.upperBound,
                content + frame.bound <= FrameCutter.batchBound,
                frame.input.upperBound - first.input.lowerBound <= SegmentCutter.segmentSize
            else {
                found.prepend(find)
                break
            }
            (last, content) = (frame, content + frame.bound)
            frames.append(frame)
        }
        return frames
    }

    /// The chunk of frames; nil if they can't be read: then they come again, one by one.
    private mutating func whole(_ frames: [TriedFrame]) throws(Failure) -> Chunk? {
        let bound = Int(frames.reduce(0) { $0 + $1.bound })
        let input = frames[0].input.lowerBound..<frames[frames.count - 1].input.upperBound
        let slotCount = try room.take(for: bound)
        let start = Span.now()
        let bytes = try read(input)
        let isLegible = hunt.file.isLegible(input)
        if !isLegible, slotCount > 1 { room.slots.give(slotCount - 1) }
        if !isLegible, frames.count > 1 {
            found = Deque(frames.map { .frame($0) }) + found
            alone = frames.count
            return nil
        }
        pass(UInt64(input.count), since: start)
        guard isLegible else {
            zeros = ledger.lose(input, frames[0].claim, "it can't be read")
            return nil
        }
        ledger.expect(frames)
        return Chunk(.memory(bytes), at: input.lowerBound, bound: bound, slots: slotCount)
    }

    private func read(_ range: Range<UInt64>) throws(Failure) -> Bytes {
        try reader.waitForRate(range.count)
        let buffer = try OutputBuffer(capacity: range.count)
        try hunt.file.read(at: range.lowerBound, into: buffer.memory)
        return buffer.finish(count: range.count)
    }

    /// Reports how far the file was searched.
    private func pass(_ count: UInt64, since start: UInt64 = Span.now()) {
        reader.count(Int(count))
        monitor?.record(Span(stage: .read, bytes: Int(count), start: start))
    }
}
