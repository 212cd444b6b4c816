package import ByteStreams
internal import Dispatch

/// The one shape of every run: a reader cuts chunks, workers transform them, and a writer puts the frames in order.
///
/// The calling thread is the reader. It waits for slots and for the input; the workers wait for chunks. A worker starts
/// with each of the first chunks, so that a short input does not pay for all of them; or with later ones, if the crew
/// has none before.
package struct Pipeline<Work: Transform & SendableMetatype & ~Copyable> {
    let workers: Int
    let slots: Slots
    let writer: FrameWriter
    let latch: FailureLatch
    let monitor: Monitor?
    /// Shares its workers among runs; nil if the run starts its own.
    let crew: Crew?
    let makeTransform: @Sendable () throws(Failure) -> Work

    private let chunks = WorkQueue<Chunk>()
    /// Waits for the workers.
    private let group = DispatchGroup()

    package init(
        workers: Int, slots: Slots, writer: FrameWriter, latch: FailureLatch, monitor: Monitor?, crew: Crew?,
        makeTransform: @escaping @Sendable () throws(Failure) -> Work
    ) {
        self.workers = workers
        self.slots = slots
        self.writer = writer
        self.latch = latch
        self.monitor = monitor
        self.crew = crew
        self.makeTransform = makeTransform
    }

    /// Runs to the end of the input, or to the first failure.
    package func run(_ cutter: inout some ChunkCutter) throws(Failure) {
        latch.onFailure { [slots, chunks] in
            slots.cancel()
            chunks.close(dropping: true)
        }
        var (count, started) = (0, 0)
        do {
            while takeSlot() {
                guard var chunk = try nextChunk(of: &cutter) else { break }
                slots.fill()
                chunk.index = count
                chunk.lease = Lease { [slots, number = chunk.slotCount] in slots.give(number) }
                chunks.push(chunk)
                count += 1
                if started < workers, try startWorker(started) { started += 1 }
            }
        } catch {
            writer.accept(.failure(error), at: count)
        }
        cutter.cancel()
        writer.inputDidEnd()
        chunks.close()
        group.wait()
        try writer.finish(count)
    }

    /// The next chunk, for which a slot was taken; that goes back if there is none.
    private func nextChunk(of cutter: inout some ChunkCutter) throws(Failure) -> Chunk? {
        do throws(Failure) {
            if let chunk = try cutter.next() { return chunk }
            slots.give(areEmpty: true)
            return nil
        } catch {
            slots.give(areEmpty: true)
            throw error
        }
    }

    private func takeSlot() -> Bool {
        let start = Span.now()
        defer { monitor?.record(Span(stage: .slot, start: start)) }
        return slots.take(isEmpty: true)
    }

    /// Each worker has a thread of its own: those of Dispatch's pools read and write.
    ///
    /// - Returns: false if the crew has no worker left.
    private func startWorker(_ lane: Int) throws(Failure) -> Bool {
        do throws(Failure) {
            if let crew { return try startWorker(lane, of: crew) }
            try startThread(in: group) { [self] in work(lane) }
            return true
        } catch {
            // No worker would take the chunk.
            latch.fail(error)
            throw error
        }
    }

    private func startWorker(_ lane: Int, of crew: Crew) throws(Failure) -> Bool {
        let presence = Presence(in: group)
        var hasStarted = false
        defer { if !hasStarted { presence.end() } }
        hasStarted = try crew.start(isFirst: lane == 0) { [self] in
            work(lane, presence)
            monitor?.threadDidEnd()
            presence.end()
        }
        if hasStarted {
            // A cancelled run does not wait for a worker in the middle of a frame.
            latch.onFailure { [weak latch] in if latch?.failure == .cancelled { presence.endUnlessReading() } }
        }
        return hasStarted
    }

    /// Works until there is nothing left, on a worker's thread.
    private func work(_ lane: Int, _ presence: Presence? = nil) {
        do throws(Failure) {
            var worker = Worker(transform: try makeTransform(), lane: lane, pipeline: self, presence: presence)
            worker.run(chunks)
        } catch {
            latch.fail(error)
        }
    }
}
