internal import ByteStreams

/// Takes chunks from a queue and gives frames to the writer, with a transform of its own.
struct Worker<Work: Transform & ~Copyable>: ~Copyable {
    var transform: Work
    let lane: Int
    let writer: FrameWriter
    let slots: Slots
    let latch: FailureLatch
    let monitor: Monitor?
    /// Nil where everybody waits for it.
    var presence: Presence?
    /// What it reads files into.
    var readBuffer = GatherBuffer()
    /// Bytes of the frame that is streamed which have not come out yet, in whatever form.
    var held = 0

    /// Bytes that it holds between chunks.
    var memory: Int { transform.memory + readBuffer.capacity }

    /// Works until the queue is closed and empty.
    mutating func run(_ chunks: WorkQueue<Chunk>) {
        var idleSince = Span.now()
        while let chunk = chunks.pop() {
            monitor?.record(Span(stage: .idle, lane: lane, start: idleSince, end: Span.now()))
            monitor?.workerDidBegin()
            if latch.failure == nil { process(chunk) }
            monitor?.workerDidEnd()
            idleSince = Span.now()
        }
    }

    private mutating func process(_ chunk: consuming Chunk) {
        let index = chunk.index
        do {
            switch chunk.content {
            case .whole(let parcel, let bound, let offset, let slotCount):
                var frame = try apply(take(parcel), bound: bound, offset: offset)
                frame.slotCount = slotCount
                writer.accept(.success(consume frame), at: index)
            case .segments(let parts, let offset):
                try stream(parts, offset: offset, index: index)
            }
        } catch {
            writer.accept(.failure(error), at: index)
        }
    }

    private mutating func take(_ parcel: ChunkBytes) throws(Failure) -> ChunkMemory {
        let start = Span.now()
        guard presence?.beginReading() != false else { throw .cancelled }
        let outcome = Result { () throws(Failure) in try parcel.take(with: &readBuffer) }
        presence?.endReading()
        let load = try outcome.get()
        if parcel.range != nil {
            monitor?.record(Span(stage: .read, lane: lane, bytes: load.count, start: start, end: Span.now()))
        }
        return load
    }

    private mutating func apply(_ load: consuming ChunkMemory, bound: Int, offset: UInt64) throws(Failure) -> Frame {
        let start = Span.now()
        let count = load.count
        let frame = try transform.apply(load, bound: bound, offset: offset, slots: slots)
        didWork(since: start, count, to: frame.bytes.count)
        return frame
    }

    /// Transforms one frame whose parts come one by one; what it becomes is bounded by slots of its own.
    private mutating func stream(
        _ parts: SegmentQueue, offset: UInt64, index: Int
    ) throws(Failure) {
        let pieces = Slots(Frame.segmentCount)
        let registration = latch.onFailure { pieces.cancel() }
        defer { latch.forget(registration) }
        defer { parts.didEnd() }
        // What comes next must not overtake what was handed on, a failure least of all.
        defer { transform.settle() }
        held = 0
        try transform.begin()
        while let bytes = try parts.next() {
            defer { parts.didConsume() }
            try bytes.forEachRegion { region throws(Failure) in
                try feed(region, isLast: false, offset: offset, index: index, pieces)
            }
        }
        if latch.failure != nil { return }
        try feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, offset: offset, index: index, pieces)
        transform.settle()
        writer.accept(.success(Frame(bytes: Bytes(), sourceSize: held, slots: slots)), at: index)
    }

    private mutating func feed(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, offset: UInt64, index: Int, _ pieces: Slots
    ) throws(Failure) {
        var rest = bytes
        var isDone = false
        while !isDone {
            guard pieces.take() else { throw .cancelled }
            let output = try transform.makeOutput()
            let start = Span.now()
            let before = rest.count
            let written: Int
            (written, isDone) = try transform.step(&rest, into: output.memory, isLast: isLast, offset: offset)
            didWork(since: start, before - rest.count, to: written)
            held += before - rest.count
            guard written > 0 else {
                pieces.give()
                continue
            }
            let (size, source) = (written, held)
            held = 0
            var frame = Frame(bytes: output.finish(count: size), sourceSize: source, slots: pieces)
            frame.isContinued = true
            transform.handOn(frame.bytes) { [writer, frame] in
                writer.accept(.success(frame), at: index, isLast: false)
            }
        }
    }

    private func didWork(since start: UInt64, _ source: Int, to bytes: Int) {
        monitor?.record(Span(stage: .work, lane: lane, bytes: bytes, source: source, start: start, end: Span.now()))
    }
}
