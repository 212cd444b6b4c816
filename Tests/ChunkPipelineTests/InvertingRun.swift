import Glibc
import StreamTestSupport
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// Cuts chunks of a size, or chunks of so many segments of it, each with one of the permits.
private struct Cutter: ChunkCutter {
    let reader: InputReader
    let slots: Slots
    let size: Int
    let segments: Int
    let permits: Slots
    private var queue: SegmentQueue?
    private var (offset, isOver) = (UInt64(0), false)

    init(_ reader: InputReader, _ slots: Slots, size: Int, segments: Int, permits: Slots) {
        (self.reader, self.slots, self.size, self.segments, self.permits) = (reader, slots, size, segments, permits)
    }

    mutating func next() throws(Failure) -> Chunk? {
        try finishQueue()
        if isOver { return nil }
        guard segments > 0 else {
            guard let bytes = try reader.read(size) else { return nil }
            defer { offset += UInt64(bytes.count) }
            return Chunk(.memory(bytes), at: offset, bound: bytes.count)
        }
        guard permits.take() else { throw .cancelled }
        let queue = SegmentQueue(slots, windows: permits)
        self.queue = queue
        return Chunk(.segments(queue), at: 0)
    }

    /// Reads the segments of the chunk that has begun.
    private mutating func finishQueue() throws(Failure) {
        guard let queue else { return }
        self.queue = nil
        var (rest, isShort) = (segments, false)
        defer { isOver = isShort }
        try queue.fill { () throws(Failure) in
            guard rest > 0 else { return nil }
            rest -= 1
            let bytes = try reader.read(size)
            isShort = bytes == nil
            return bytes
        }
    }

    mutating func cancel() { queue?.fail(.cancelled) }
}

/// Inverts bytes, after a pause that differs from chunk to chunk, and fails where it is told to.
private struct Inverting: Transform, ~Copyable {
    var isSlow = false
    var failing: UInt64?
    var pause: @Sendable () -> Void = {}
    /// The bytes of segments that it has taken.
    private var taken: UInt64 = 0

    init(isSlow: Bool, failing: UInt64?, pause: @escaping @Sendable () -> Void) {
        (self.isSlow, self.failing, self.pause) = (isSlow, failing, pause)
    }

    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> ChunkResult {
        let (offset, count) = (chunk.offset, chunk.count)
        pause()
        if isSlow { usleep(UInt32(truncatingIfNeeded: offset &* 2_654_435_761) % 500) }
        if offset == failing { throw .outOfMemory }
        let bytes = try buffer.withContiguous(chunk) { $0.withUnsafeBytes { Bytes($0.map { ~$0 }) } }
        return ChunkResult(bytes: bytes, sourceSize: count)
    }

    mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
        guard case .bytes(var rest) = segment else { return }
        pause()
        if let failing, (taken..<taken + UInt64(rest.count)).contains(failing) { throw .outOfMemory }
        taken += UInt64(rest.count)
        while !rest.isEmpty {
            let room = try output.room()
            let count = min(rest.count, room.memory.count)
            for position in 0..<count { room.memory[position] = ~rest[position] }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            try output.handOn(room, count: count, from: count)
        }
    }
}

/// A run without a codec, whose source, sink and slots are the test's.
struct InvertingRun {
    var chunkSize = 1000
    var slots = 5
    var workers = 3
    /// How many segments a chunk has; 0 for whole chunks.
    var segments = 0
    var permits = 1
    var isSlow = false
    var failing: UInt64?
    /// Slots in use before anything is written.
    var level = 0
    /// Whether the first frame waits for the second one.
    var holdsFirst = false
    var pause: @Sendable () -> Void = {}

    /// - Parameter whenBegun: receives what ends the run from elsewhere.
    func run(
        from source: ScriptedSource, to sink: ScriptedSink, whenBegun: (FailureLatch) -> Void = { _ in }
    ) throws -> Failure? {
        let latch = FailureLatch()
        let order = FrameOrder(holdBack: HoldBack(until: level), holdsFirst: holdsFirst)
        let writer = FrameWriter(Sink(sink), order: order, latch: latch, monitor: nil)
        let slots = Slots(slots) { [order = writer.order] change in order.change { $0.slotsDidChange(by: change) } }
        let permits = Slots(permits, insteadOf: slots)
        latch.onFailure { permits.cancel() }
        let failure = try run(from: source, writer, slots, permits, latch, whenBegun)
        #expect(source.hasFinished)
        // Of what was cut, is worked on, waits for its turn or for the sink, or was dropped.
        #expect(eventually { slots.inUse == 0 })
        return failure
    }

    private func run(
        from source: ScriptedSource, _ writer: FrameWriter, _ slots: Slots, _ permits: Slots, _ latch: FailureLatch,
        _ whenBegun: (FailureLatch) -> Void
    ) throws -> Failure? {
        let reader = try InputReader(Source(source), latch: latch, monitor: nil)
        var cutter = Cutter(reader, slots, size: chunkSize, segments: segments, permits: permits)
        let pipeline = Pipeline(
            workers: workers, slots: slots, writer: writer, latch: latch, monitor: nil, workerPool: nil
        ) { [isSlow, failing, pause] in Inverting(isSlow: isSlow, failing: failing, pause: pause) }
        whenBegun(latch)
        let outcome = Result { () throws(Failure) in try pipeline.run(&cutter) }
        reader.close()
        writer.close()
        if case .failure(let failure) = outcome { return failure }
        return nil
    }
}
