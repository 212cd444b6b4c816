package import ByteStreams
internal import Dispatch

/// Takes what a transform makes of a frame that comes in segments. Its slots bound what has not been written yet.
package struct SegmentOutput: ~Copyable {
    private let index: Int
    private let lane: Int
    private let slots: Slots
    private let writer: FrameWriter
    private let monitor: Monitor?
    /// Waits for what was handed on and has not left.
    private let underWay = DispatchGroup()
    /// When the transform got its memory.
    private var start: UInt64 = 0
    /// Bytes of the frame that are taken and have not come out yet.
    private var held = 0

    init(of chunk: borrowing Chunk, lane: Int, slots: Slots, _ writer: FrameWriter, _ monitor: Monitor?) {
        index = chunk.index
        self.lane = lane
        self.slots = slots
        self.writer = writer
        self.monitor = monitor
    }

    /// Waits until there may be more output.
    ///
    /// - Parameter make: makes the memory for it.
    /// - Throws: `cancelled` if the run failed meanwhile; the failure of `make`.
    package mutating func room(
        _ make: () throws(Failure) -> OutputBuffer = { () throws(Failure) in
            try OutputBuffer(capacity: Frame.segmentSize)
        }
    ) throws(Failure) -> OutputBuffer {
        guard slots.take() else { throw .cancelled }
        let room = try make()
        start = Span.now()
        return room
    }

    /// Hands on what was written to the last room.
    ///
    /// - Parameters:
    ///   - count: bytes of it; 0 for nothing.
    ///   - taken: bytes of the frame that it was made from.
    ///   - relay: receives it, and a closure that lets it leave, after earlier output, at once or on another thread.
    package mutating func handOn(
        _ room: consuming OutputBuffer, count: Int, from taken: Int,
        through relay: (Bytes, _ leave: @escaping @Sendable () -> Void) -> Void = { _, leave in leave() }
    ) {
        monitor?.record(Span(stage: .work, lane: lane, bytes: count, source: taken, start: start))
        held += taken
        guard count > 0 else { return slots.give() }
        let lease = Lease { [slots] in slots.give() }
        var frame = Frame(bytes: room.finish(count: count), sourceSize: held, lease: lease)
        held = 0
        frame.isContinued = true
        underWay.enter()
        relay(frame.bytes) { [writer, index, underWay, frame] in
            writer.accept(.success(frame), at: index, isLast: false)
            underWay.leave()
        }
    }

    /// Waits until everything has left.
    func settle() { underWay.wait() }

    /// Ends the frame.
    ///
    /// - Parameter lease: the slots of the chunk.
    func finish(_ lease: Lease?) {
        settle()
        writer.accept(.success(Frame(bytes: Bytes(), sourceSize: held, lease: lease)), at: index)
    }
}
