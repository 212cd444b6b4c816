internal import ByteStreams
internal import Dispatch
internal import Synchronization

/// Takes chunks from a queue and gives frames to the writer, with a transform of its own.
struct Worker<Work: Transform & SendableMetatype & ~Copyable>: ~Copyable {
    var transform: Work
    let lane: Int
    let pipeline: Pipeline<Work>
    /// Nil if the run waits for the worker in any case.
    var presence: Presence?
    /// Where the bytes of a chunk become one region, and those of a file are read.
    var buffer = GatherBuffer()
    /// Bytes of the streamed frame that are taken and have not come out yet.
    var held = 0

    private var monitor: Monitor? { pipeline.monitor }

    /// Works until the queue is closed and empty.
    mutating func run(_ chunks: WorkQueue<Chunk>) {
        var idleSince = Span.now()
        while let chunk = chunks.pop() {
            monitor?.record(Span(stage: .idle, lane: lane, start: idleSince))
            monitor?.workerDidBegin()
            if pipeline.latch.failure == nil { process(chunk) }
            monitor?.workerDidEnd()
            idleSince = Span.now()
        }
    }

    private mutating func process(_ chunk: consuming Chunk) {
        let index = chunk.index
        do {
            if let segments = chunk.segments {
                try stream(segments, of: chunk)
            } else if let members = chunk.members {
                try stream(chunk) { worker, outputs throws(Failure) in try worker.feed(members, index, outputs) }
            } else {
                pipeline.writer.accept(.success(try apply(chunk)), at: index)
            }
        } catch {
            pipeline.writer.accept(.failure(error), at: index)
        }
    }

    private mutating func apply(_ chunk: consuming Chunk) throws(Failure) -> Frame {
        if chunk.isRange { try read(&chunk) }
        let start = Span.now()
        let (count, lease) = (chunk.count, chunk.lease)
        var frame = try transform.apply(chunk, with: &buffer)
        frame.lease = lease
        didWork(since: start, count, to: frame.bytes.count)
        return frame
    }

    private mutating func read(_ chunk: inout Chunk) throws(Failure) {
        let start = Span.now()
        guard presence?.beginReading() != false else { throw .cancelled }
        do {
            defer { presence?.endReading() }
            try chunk.read(into: &buffer)
            monitor?.record(Span(stage: .read, lane: lane, bytes: chunk.count, start: start))
        }
        // A run that was cancelled meanwhile still waits for this worker.
        if pipeline.latch.failure != nil { throw .cancelled }
    }

    private mutating func stream(_ segments: SegmentQueue, of chunk: borrowing Chunk) throws(Failure) {
        defer { segments.didEnd() }
        let index = chunk.index
        try stream(chunk) { worker, outputs throws(Failure) in
            while let segment = try worker.next(of: segments, index, outputs) {
                try worker.feed(segment.bytes, index, outputs)
            }
        }
    }

    /// Transforms a chunk segment by segment; its output is bounded by slots of its own.
    ///
    /// - Parameter feed: feeds the segments.
    private mutating func stream(
        _ chunk: borrowing Chunk, _ feed: (inout Self, _ outputs: Slots) throws(Failure) -> Void
    ) throws(Failure) {
        let outputs = Slots(chunk.outputCount)
        let registration = pipeline.latch.onFailure { outputs.cancel() }
        defer { pipeline.latch.forget(registration) }
        // Output that was handed on leaves before anything else does, a failure included.
        defer { transform.settle() }
        held = 0
        try transform.begin(at: chunk.offset, chunk.place)
        try feed(&self, outputs)
        if pipeline.latch.failure != nil { return }
        try self.feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, index: chunk.index, outputs)
        transform.settle()
        let last = Frame(bytes: Bytes(), sourceSize: held, lease: chunk.lease)
        pipeline.writer.accept(.success(last), at: chunk.index)
    }

    private mutating func next(
        of segments: SegmentQueue, _ index: Int, _ outputs: Slots
    ) throws(Failure) -> SegmentQueue.Segment? {
        if segments.isEmpty, transform.pause() {
            try feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: false, index: index, outputs)
        }
        return try segments.next()
    }

    private mutating func feed(_ bytes: Bytes, _ index: Int, _ outputs: Slots) throws(Failure) {
        try bytes.forEachRegion { region throws(Failure) in
            try feed(region, isLast: false, index: index, outputs)
        }
    }

    private mutating func feed(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, index: Int, _ outputs: Slots
    ) throws(Failure) {
        var rest = bytes
        var isDone = false
        while !isDone {
            guard outputs.take() else { throw .cancelled }
            let output = try transform.makeOutput()
            let start = Span.now()
            let before = rest.count
            let written: Int
            (written, isDone) = try transform.step(&rest, into: output.memory, isLast: isLast)
            didWork(since: start, before - rest.count, to: written)
            held += before - rest.count
            guard written > 0 else {
                outputs.give()
                continue
            }
            let lease = Lease { outputs.give() }
            var frame = Frame(bytes: output.finish(count: written), sourceSize: held, lease: lease)
            held = 0
            frame.isContinued = true
            transform.handOn(frame.bytes) { [writer = pipeline.writer, frame] in
                writer.accept(.success(frame), at: index, isLast: false)
            }
        }
    }

    private func didWork(since start: UInt64, _ source: Int, to bytes: Int) {
        monitor?.record(Span(stage: .work, lane: lane, bytes: bytes, source: source, start: start))
    }
}

/// Whether a run still waits for one of its workers.
///
/// libzstd does not stop in the middle of a frame. A cancelled run leaves such a worker behind, which then holds
/// nothing of the run but memory. The run still waits while the worker reads the input: later the descriptor's number
/// may be another file's.
final class Presence: Sendable {
    private enum State { case working, reading, ended }

    private let state = Mutex(State.working)
    private let group: DispatchGroup

    /// - Parameter group: the run waits for it.
    init(in group: DispatchGroup) {
        self.group = group
        group.enter()
    }

    /// - Returns: false if the run no longer waits.
    func beginReading() -> Bool { change(.working, to: .reading) }

    func endReading() { change(.reading, to: .working) }

    /// Ends the waiting, unless the worker reads: it will find that the run has failed.
    func endUnlessReading() { if change(.working, to: .ended) { group.leave() } }

    func end() { if change(.working, to: .ended) || change(.reading, to: .ended) { group.leave() } }

    @discardableResult
    private func change(_ before: State, to after: State) -> Bool {
        state.withLock { state in
            guard state == before else { return false }
            state = after
            return true
        }
    }
}
