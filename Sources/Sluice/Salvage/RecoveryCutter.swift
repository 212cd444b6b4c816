internal import ZstdCodec

/// Cuts a damaged file into the frames that can be had of it, and zeros for what is lost between them.
struct RecoveryCutter: ChunkCutter {
    private let file: DamagedFile
    private var hunt: FrameHunt
    private let ledger: LossLedger
    private let reader: ChunkReader
    private let slots: Slots
    private let monitor: Monitor?
    /// Zeros that were not handed on yet.
    private var zeros: UInt64 = 0
    /// The frame that is handed on in parts, and what of it was not read yet.
    private var feed: (parts: PartQueue, rest: Range<UInt64>)?
    private(set) var memory = FrameCutter.Memory()

    init(
        _ file: DamagedFile, _ hunt: FrameHunt, _ ledger: LossLedger, _ reader: ChunkReader, slots: Slots,
        monitor: Monitor?
    ) {
        self.file = file
        self.hunt = hunt
        self.ledger = ledger
        self.reader = reader
        self.slots = slots
        self.monitor = monitor
    }

    /// Bytes that the search for frames holds.
    var huntMemory: Int { hunt.memory }

    mutating func next() throws(Failure) -> Chunk.Content? {
        try feedParts()
        while zeros == 0 {
            guard let find = try hunt.next() else { return nil }
            switch find {
            case .lost(let input, let claim, let reason):
                zeros = ledger.lose(input, claim, reason)
                pass(UInt64(input.count))
            case .frame(let walk, let claim):
                if let content = try whole(walk, claim) { return content }
            case .proved(let input, let size, let isWhole):
                ledger.recover(input, contentSize: size, isProved: isWhole)
                return begin(input)
            }
        }
        let count = Int(min(zeros, FrameCutter.slotSize))
        zeros -= UInt64(count)
        return .whole(Parcel(zeros: count), bound: count, offset: 0, slots: 1)
    }

    mutating func cancel() {
        feed?.parts.fail(.cancelled)
        feed = nil
    }

    /// Nil if it can't be read.
    private mutating func whole(_ walk: FrameWalk, _ claim: Claim) throws(Failure) -> Chunk.Content? {
        let bound = Int(walk.frame.decompressedBound)
        let weight = max(1, min(slots.count, (bound + Int(FrameCutter.slotSize) - 1) / Int(FrameCutter.slotSize)))
        for _ in 1..<weight {
            guard slots.take() else { throw .cancelled }
        }
        memory.perSlot = max(memory.perSlot, (walk.input.count + bound) / weight)
        memory.perChunk = max(memory.perChunk, walk.input.count + bound)
        let bytes = try read(walk.input)
        guard file.isLegible(walk.input) else {
            if weight > 1 { slots.give(weight - 1) }
            zeros = ledger.lose(walk.input, claim, "it can't be read")
            return nil
        }
        ledger.expect(walk.input, claim)
        return .whole(Parcel(bytes), bound: bound, offset: walk.input.lowerBound, slots: weight)
    }

    private mutating func begin(_ input: Range<UInt64>) -> Chunk.Content {
        memory.firstPart = max(memory.firstPart, PartCutter.partSize)
        let queue = PartQueue(slots)
        feed = (queue, input)
        return .parts(queue, offset: input.lowerBound)
    }

    private mutating func feedParts() throws(Failure) {
        while let (parts, rest) = feed {
            if rest.isEmpty {
                parts.close()
                feed = nil
                return
            }
            let end = min(rest.upperBound, rest.lowerBound + UInt64(PartCutter.partSize))
            do throws(Failure) {
                try parts.push(try read(rest.lowerBound..<end))
                feed = (parts, end..<rest.upperBound)
            } catch {
                parts.fail(error)
                feed = nil
                throw error
            }
        }
    }

    private func read(_ range: Range<UInt64>) throws(Failure) -> Bytes {
        try reader.waitForRate(range.count)
        let start = Span.now()
        let buffer = try OutputBuffer(capacity: range.count)
        try file.read(at: range.lowerBound, into: buffer.memory)
        pass(UInt64(range.count), since: start)
        return buffer.finish(count: range.count)
    }

    /// Tells how far the file was gone through.
    private func pass(_ count: UInt64, since start: UInt64 = Span.now()) {
        reader.count(Int(count))
        monitor?.record(Span(stage: .read, bytes: Int(count), start: start, end: Span.now()))
    }
}
