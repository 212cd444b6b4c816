/// Takes chunks from a queue and gives frames to the writer, with a transform of its own.
struct Worker<Work: Transform & SendableMetatype & ~Copyable>: ~Copyable {
    var transform: Work
    let lane: Int
    let pipeline: Pipeline<Work>
    /// Nil if the run waits for the worker in any case.
    var presence: Presence?
    /// What it reads files into.
    var readBuffer = GatherBuffer()
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
            switch chunk.content {
            case .whole(let bytes, let bound, let offset, let slotCount):
                var frame = try apply(take(bytes), bound: bound, offset: offset)
                frame.slotCount = slotCount
                pipeline.writer.accept(.success(consume frame), at: index)
            case .segments(let segments, let offset):
                try stream(segments, offset: offset, index: index)
            }
        } catch {
            pipeline.writer.accept(.failure(error), at: index)
        }
    }

    private mutating func take(_ bytes: ChunkBytes) throws(Failure) -> ChunkMemory {
        let start = Span.now()
        guard presence?.beginReading() != false else { throw .cancelled }
        let outcome = Result { () throws(Failure) in try bytes.take(with: &readBuffer) }
        presence?.endReading()
        let chunk = try outcome.get()
        if case .region = chunk {
            monitor?.record(Span(stage: .read, lane: lane, bytes: chunk.count, start: start))
        }
        return chunk
    }

    private mutating func apply(_ chunk: consuming ChunkMemory, bound: Int, offset: UInt64) throws(Failure) -> Frame {
        let start = Span.now()
        let count = chunk.count
        let frame = try transform.apply(chunk, bound: bound, offset: offset, slots: pipeline.slots)
        didWork(since: start, count, to: frame.bytes.count)
        return frame
    }

    /// Transforms one frame segment by segment; its output is bounded by slots of its own.
    private mutating func stream(_ segments: SegmentQueue, offset: UInt64, index: Int) throws(Failure) {
        let outputs = Slots(segments.outputCount)
        let registration = pipeline.latch.onFailure { outputs.cancel() }
        defer { pipeline.latch.forget(registration) }
        defer { segments.didEnd() }
        // Output that was handed on leaves before anything else does, a failure included.
        defer { transform.settle() }
        held = 0
        try transform.begin(at: offset, segments.place)
        while let bytes = try next(of: segments, index, outputs) {
            defer { segments.didConsume() }
            try bytes.forEachRegion { region throws(Failure) in
                try feed(region, isLast: false, index: index, outputs)
            }
        }
        if pipeline.latch.failure != nil { return }
        try feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, index: index, outputs)
        transform.settle()
        var last = Frame(bytes: Bytes(), sourceSize: held, slots: pipeline.slots)
        last.slotCount = segments.slotCount
        pipeline.writer.accept(.success(last), at: index)
    }

    private mutating func next(of segments: SegmentQueue, _ index: Int, _ outputs: Slots) throws(Failure) -> Bytes? {
        if segments.isEmpty, transform.pause() {
            try feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: false, index: index, outputs)
        }
        return try segments.next()
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
            var frame = Frame(bytes: output.finish(count: written), sourceSize: held, slots: outputs)
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
