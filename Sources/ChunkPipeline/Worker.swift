internal import ByteStreams
internal import Dispatch
internal import Synchronization

/// Takes chunks from a queue, applies its own transform, and gives frames to the writer.
struct Worker<Work: Transform & SendableMetatype & ~Copyable>: ~Copyable {
    var transform: Work
    let lane: Int
    let pipeline: Pipeline<Work>
    /// Nil if the run always waits for the worker.
    var workerWait: WorkerWait?
    /// Joins the regions of a chunk, and holds the bytes of a file that are read.
    var buffer = GatherBuffer()

    private var monitor: Monitor? { pipeline.monitor }

    /// Works until the queue is closed and empty.
    mutating func run(_ work: WorkQueue<Chunk>) {
        var idleSince = StageSpan.now()
        while let chunk = work.pop() {
            monitor?.record(StageSpan(stage: .idle, lane: lane, start: idleSince))
            monitor?.workerDidBegin()
            if pipeline.latch.failure == nil { process(chunk) }
            monitor?.workerDidEnd()
            idleSince = StageSpan.now()
        }
    }

    private mutating func process(_ chunk: consuming Chunk) {
        let index = chunk.index
        do {
            if let segments = chunk.segments {
                let link = chunk.link
                defer {
                    segments.didEnd()
                    link?.end()
                }
                try stream(chunk, segments)
            } else {
                pipeline.writer.accept(.success(try apply(chunk)), at: index)
            }
        } catch {
            pipeline.writer.accept(.failure(error), at: index)
        }
    }

    private mutating func apply(_ chunk: consuming Chunk) throws(Failure) -> ChunkResult {
        if chunk.isRange { try read(&chunk) }
        let start = StageSpan.now()
        let (count, lease) = (chunk.count, chunk.lease)
        var frame = try transform.apply(chunk, with: &buffer)
        frame.lease = lease
        monitor?.record(StageSpan(stage: .work, lane: lane, bytes: frame.bytes.count, source: count, start: start))
        return frame
    }

    private mutating func read(_ chunk: inout Chunk) throws(Failure) {
        let start = StageSpan.now()
        guard workerWait?.beginReading() != false else { throw .cancelled }
        do {
            defer { workerWait?.endReading() }
            try chunk.read(into: &buffer)
            monitor?.record(StageSpan(stage: .read, lane: lane, bytes: chunk.count, start: start))
        }
        // A run that was cancelled during the read still waits for this worker, so end here.
        if pipeline.latch.failure != nil { throw .cancelled }
    }

    /// Transforms a chunk segment by segment.
    private mutating func stream(_ chunk: borrowing Chunk, _ segments: SegmentQueue) throws(Failure) {
        let slots = Slots(chunk.outputCount)
        let registration = pipeline.latch.onFailure { slots.cancel() }
        defer { pipeline.latch.forget(registration) }
        var output = SegmentOutput(of: chunk, lane: lane, slots: slots, pipeline.writer, monitor)
        // Pass on this output before anything else, even a failure.
        defer { output.settle() }
        try transform.apply(.start(offset: chunk.offset, context: chunk.context), to: &output)
        try feed(segments, to: &output)
        if pipeline.latch.failure == nil, !transform.mayEnd, let link = chunk.link {
            // It goes on. If a chunk before does, this one does not count.
            guard let rest = link.takeOver() else { throw .cancelled }
            defer { rest.didEnd() }
            pipeline.end(after: chunk.index)
            try feed(rest, to: &output)
        }
        if pipeline.latch.failure != nil { return }
        try transform.apply(.end, to: &output)
        output.finish(chunk.lease)
    }

    private mutating func feed(_ segments: SegmentQueue, to output: inout SegmentOutput) throws(Failure) {
        while true {
            if segments.isEmpty { try transform.apply(.pause, to: &output) }
            guard let segment = try segments.next() else { return }
            try segment.bytes.forEachRegion { region throws(Failure) in
                try region.withUnsafeBytes { bytes throws(Failure) in try transform.apply(.bytes(bytes), to: &output) }
            }
        }
    }
}

/// Whether a run still waits for one of its workers.
///
/// libzstd can't be stopped in the middle of a frame, or of a slice of one. A cancelled run of a program leaves such a
/// worker behind, which then holds only memory of the run. While the worker reads the input, the run does wait: later,
/// the descriptor's number might belong to another file.
final class WorkerWait: Sendable {
    private enum State { case working, reading, left, ended }

    private let state = Mutex(State.working)
    private let group: DispatchGroup
    private let workerPool: WorkerPool?

    /// - Parameters:
    ///   - group: the group that the run waits for.
    ///   - workerPool: counts the worker if the run leaves it behind; nil if it counts it in any case.
    init(in group: DispatchGroup, of workerPool: WorkerPool?) {
        (self.group, self.workerPool) = (group, workerPool)
        group.enter()
    }

    /// - Returns: false if the run no longer waits.
    func beginReading() -> Bool { change(.working, to: .reading) }

    func endReading() { change(.reading, to: .working) }

    /// Ends the waiting, unless the worker is reading: it will see that the run has failed.
    func endUnlessReading() {
        guard change(.working, to: .left) else { return }
        workerPool?.didLeave(1)
        group.leave()
    }

    func end() {
        if change(.working, to: .ended) || change(.reading, to: .ended) { return group.leave() }
        if change(.left, to: .ended) { workerPool?.didLeave(-1) }
    }

    @discardableResult
    private func change(_ before: State, to after: State) -> Bool {
        state.withLock { state in
            guard state == before else { return false }
            state = after
            return true
        }
    }
}
