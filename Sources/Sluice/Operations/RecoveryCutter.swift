internal import DequeModule

/// The frames of a chunk, which follow one another.
struct TriedFrames: ChunkPlace {
    /// How much was found in front of them.
    let number: Int
    let frames: [TriedFrame]
    /// Those of them that could not be read.
    let illegible: [Bool]
}

/// Cuts a damaged file into the frames that are found in it, and zeros for the losses between them.
struct RecoveryCutter: ChunkCutter {
    typealias Find = RecoveryScan<FrameTrial>.Find

    /// Frames of one chunk, which wait in memory until they are decoded.
    private static let mostFrames = 4096

    var scan: RecoveryScan<FrameTrial>
    let limits: DecodingLimits
    /// Its windows are also for a frame that is tried.
    var room: ChunkRoom
    let ledger: LossLedger
    let reader: ChunkReader
    let monitor: Monitor?
    /// Zeros that are not handed on yet.
    var zeros: UInt64 = 0
    /// What was found, and is not handed on yet.
    var found: Find?
    /// How much was handed on.
    var count = 0
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
            defer { count += 1 }
            switch find {
            case .lost(let input, let claim, let reason):
                zeros = ledger.zeros(for: claim)
                ledger.note(count, [.lost(input, claim, reason)])
                pass(UInt64(input.count))
            case .frame(let frame): return try whole(batch(from: frame))
            case .proved(let input, let size, let isWhole):
                ledger.note(count, [.recovered(size)])
                if !isWhole { ledger.noteUnproved() }
                return try feed.begin(input, of: reader.source, in: room)
            }
        }
        let size = Int(min(zeros, FrameCutter.slotSize))
        zeros -= UInt64(size)
        return Chunk(.hole(size), at: 0, bound: size)
    }

    mutating func cancel() { feed.cancel() }

    private mutating func nextFind() throws(Failure) -> Find? {
        if let find = found.take() { return find }
        // Frames that are not held are tried.
        guard room.windows.take() else { throw .cancelled }
        defer { room.windows.give() }
        if let find = try scan.next() { return find }
        if !scan.hasFrames { throw try failureWithoutFrames() }
        return nil
    }

    /// Why nothing can be recovered of a file in which no frame was found.
    private func failureWithoutFrames() throws(Failure) -> Failure {
        if !scan.file.unreadable.isEmpty { return .reading(.ioError) }
        let start = try reader.source.bytes(at: 0, count: Int(min(32, scan.file.size))) ?? []
        return start.withUnsafeBytes { start in
            if let format = ForeignFormat(magic: start) {
                return .foreign(format.isRead ? .notRecovered(format) : .notRead(format))
            }
            var scanner = CheckedScanner(limits: limits)
            do throws(CodecFailure) {
                _ = try scanner.scan(start)
                return .codec(.notZstandard)
            } catch { return .codec(error) }
        }
    }

    /// A frame, and the small ones that follow it: a chunk for each would cost more than decoding.
    private mutating func batch(from first: TriedFrame) throws(Failure) -> [TriedFrame] {
        var (frames, last, content) = ([first], first, first.bound)
        while frames.count < Self.mostFrames, let find = try nextFind() {
            guard case .frame(let frame) = find, frame.input.lowerBound == last.input.upperBound,
                content + frame.bound <= FrameCutter.batchBound,
                frame.input.upperBound - first.input.lowerBound <= SegmentCutter.segmentSize
            else {
                found = find
                break
            }
            (last, content) = (frame, content + frame.bound)
            frames.append(frame)
        }
        return frames
    }

    private mutating func whole(_ frames: [TriedFrame]) throws(Failure) -> Chunk {
        let bound = Int(frames.reduce(0) { $0 + $1.bound })
        let input = frames[0].input.lowerBound..<frames[frames.count - 1].input.upperBound
        let slotCount = try room.take(for: bound)
        let start = Span.now()
        let bytes = try read(input)
        pass(UInt64(input.count), since: start)
        let tried = TriedFrames(
            number: count, frames: frames, illegible: frames.map { !scan.file.isLegible($0.input) })
        return Chunk(.memory(bytes), at: input.lowerBound, bound: bound, slots: slotCount, place: tried)
    }

    private func read(_ range: Range<UInt64>) throws(Failure) -> Bytes {
        try reader.waitForRate(range.count)
        let buffer = try OutputBuffer(capacity: range.count)
        try scan.file.read(at: range.lowerBound, into: buffer.memory)
        return buffer.finish(count: range.count)
    }

    /// Reports how far the file was searched.
    private func pass(_ count: UInt64, since start: UInt64 = Span.now()) {
        reader.count(Int(count))
        monitor?.record(Span(stage: .read, bytes: Int(count), start: start))
    }
}
