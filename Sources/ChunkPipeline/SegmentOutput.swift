package import ByteStreams
internal import Dispatch

/// Receives the output of a transform for a frame that comes in segments. Its slots limit what is waiting to be
/// written.
package struct SegmentOutput: ~Copyable {
    private let index: Int
    private let lane: Int
    private let slots: Slots
    private let writer: FrameWriter
    private let monitor: Monitor?
    /// Counts what was handed on and has not left yet.
    private let underWay = DispatchGroup()
    /// When the transform got its last buffer.
    private var start: UInt64 = 0
    /// The bytes of the frame that were consumed without any output so far.
    private var held = 0

    init(of chunk: borrowing Chunk, lane: Int, slots: Slots, _ writer: FrameWriter, _ monitor: Monitor?) {
        index = chunk.index
        self.lane = lane
        self.slots = slots
        self.writer = writer
        self.monitor = monitor
    }

    /// Waits until more output is allowed, and returns a buffer for it.
    ///
    /// - Parameter make: creates the buffer; nil for one of a segment's size.
    /// - Throws: `cancelled` if the run has failed in the meantime; the failure of `make`.
    package mutating func room(
        _ make: () throws(Failure) -> OutputBuffer? = { nil }
    ) throws(Failure) -> OutputBuffer {
        guard slots.take() else { throw .cancelled }
        // The wait for memory is no work.
        defer { start = StageSpan.now() }
        if let room = try make() { return room }
        return try OutputBuffer(capacity: ChunkResult.segmentSize)
    }

    /// Hands on the bytes in the last buffer, or a copy of them where they may be kept for any time.
    ///
    /// - Parameters:
    ///   - count: the number of bytes in it; 0 for none.
    ///   - taken: the number of bytes of the frame that they were made from.
    ///   - relay: receives the bytes, and a closure that passes them to the writer, to be called after those for
    ///     earlier output, at once or on another thread.
    /// - Throws: `outOfMemory`.
    package mutating func handOn(
        _ room: consuming OutputBuffer, count: Int, from taken: Int,
        through relay: (Bytes, _ leave: @escaping @Sendable () -> Void) -> Void = { _, leave in leave() }
    ) throws(Failure) {
        monitor?.record(StageSpan(stage: .work, lane: lane, bytes: count, source: taken, start: start))
        held += taken
        guard count > 0 else { return slots.give() }
        let lease = Lease { [slots] in slots.give() }
        let bytes = writer.isTaken ? try room.finish(countToKeep: count) : room.finish(count: count)
        var frame = ChunkResult(bytes: bytes, sourceSize: held, lease: lease)
        held = 0
        frame.isContinued = true
        underWay.enter()
        relay(frame.bytes) { [writer, index, underWay, frame] in
            writer.accept(.success(frame), at: index, isLast: false)
            underWay.leave()
        }
    }

    /// Waits until everything has been passed to the writer.
    func settle() { underWay.wait() }

    /// Ends the frame.
    ///
    /// - Parameter lease: the slots of the chunk.
    func finish(_ lease: Lease?) {
        settle()
        writer.accept(.success(ChunkResult(bytes: Bytes(), sourceSize: held, lease: lease)), at: index)
    }
}
