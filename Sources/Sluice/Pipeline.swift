internal import Dispatch

/// Cuts the input into chunks: the only part that knows what lies between them.
protocol ChunkCutter {
    /// Waits for the next chunk; nil at the end of the input.
    mutating func next() throws(Failure) -> Chunk.Content?
    /// Ends a chunk that is still being fed, when the run fails.
    mutating func cancel()
}

/// One shape for every run: chunks in, workers, frames out in order.
///
/// The calling thread is the reader. It waits for slots and for the input; the workers wait for chunks. A worker
/// starts with each of the first chunks, so that a short input does not pay for all of them.
struct Pipeline<Work: Transform & SendableMetatype & ~Copyable> {
    let workers: Int
    let slots: Slots
    let writer: FrameWriter
    let latch: FailureLatch
    let observer: SpanObserver?
    let makeTransform: @Sendable () throws(Failure) -> Work

    /// Runs to the end of the input, or to the first failure.
    func run(_ cutter: inout some ChunkCutter) throws(Failure) {
        let chunks = WorkQueue<Chunk>()
        let group = DispatchGroup()
        latch.onFailure { [slots] in
            slots.cancel()
            chunks.cancel()
        }
        var count = 0
        do {
            while takeSlot(), let content = try cutter.next() {
                chunks.push(Chunk(index: count, content: content))
                if count < workers { startWorker(count, on: chunks, in: group) }
                count += 1
            }
        } catch {
            writer.accept(.failure(error), at: count)
        }
        cutter.cancel()
        chunks.close()
        group.wait()
        try writer.finish()
    }

    private func takeSlot() -> Bool {
        let start = Span.now()
        defer { observer?(Span(stage: .slot, start: start, end: Span.now())) }
        return slots.take()
    }

    /// Each worker has a serial queue of its own: these run on threads beyond the pool that pipe I/O needs.
    private func startWorker(_ lane: Int, on chunks: WorkQueue<Chunk>, in group: DispatchGroup) {
        DispatchQueue(label: "sluice.worker.\(lane)").async(group: group) { [self] in
            do throws(Failure) {
                var worker = Worker(
                    transform: try makeTransform(), lane: lane, writer: writer, slots: slots, latch: latch,
                    observer: observer)
                worker.run(chunks)
            } catch {
                latch.fail(error)
            }
        }
    }
}
