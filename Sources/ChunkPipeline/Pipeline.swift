package import ByteStreams
internal import Dispatch

/// The structure of every run: a reader cuts chunks, workers transform them, and a writer puts the frames in order.
///
/// The calling thread is the reader. It waits for slots and for input; workers wait for chunks. One worker is started
/// with each of the first chunks, so that a short input does not pay for all of them, or with later chunks if the pool
/// has none available before.
package struct Pipeline<Work: Transform & SendableMetatype & ~Copyable> {
    let workers: Int
    let slots: Slots
    let writer: FrameWriter
    let latch: FailureLatch
    let monitor: Monitor?
    /// Shares workers among runs; nil if the run starts its own.
    let workerPool: WorkerPool?
    let makeTransform: @Sendable () throws(Failure) -> Work

    private let chunks = WorkQueue<Chunk>()
    /// Entered for each worker; `run` waits for it.
    private let group = DispatchGroup()

    package init(
        workers: Int, slots: Slots, writer: FrameWriter, latch: FailureLatch, monitor: Monitor?,
        workerPool: WorkerPool?,
        makeTransform: @escaping @Sendable () throws(Failure) -> Work
    ) {
        self.workers = workers
        self.slots = slots
        self.writer = writer
        self.latch = latch
        self.monitor = monitor
        self.workerPool = workerPool
        self.makeTransform = makeTransform
    }

    /// Runs to the end of the input, or to the first failure.
    package func run(_ cutter: inout some ChunkCutter) throws(Failure) {
        latch.onFailure { [slots, chunks] in
            slots.cancel()
            chunks.close(dropping: true)
        }
        var (count, started, most) = (0, 0, workers)
        do {
            while takeSlot() {
                guard var chunk = try nextChunk(of: &cutter) else { break }
                slots.fill()
                chunk.index = count
                chunk.lease = Lease { [slots, number = chunk.slotCount] in slots.give(number) }
                chunks.push(chunk)
                count += 1
                if started < most { try startAnother(&started, of: &most) }
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

    /// The next chunk, for which a slot has been taken. If there is none, the slot is given back.
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
        let start = StageSpan.now()
        defer { monitor?.record(StageSpan(stage: .slot, start: start)) }
        return slots.take(isEmpty: true)
    }

    /// Starts another worker. If the system has no thread for it, those that have started do the run.
    ///
    /// - Parameter most: how many workers there may be: no more are tried after that, because Dispatch needs threads,
    ///   too.
    /// - Throws: if there is none at all.
    private func startAnother(_ started: inout Int, of most: inout Int) throws(Failure) {
        do throws(Failure) { if try startWorker(started) { started += 1 } } catch {
            most = started
            if started > 0, error.code == .outOfThreads { return }
            // Without any worker, the chunk in the queue would never be processed, and a failure after it would never
            // have its turn.
            latch.fail(error)
            throw error
        }
    }

    /// Starts a worker on its own thread: those of Dispatch's pools are needed for reading and writing.
    ///
    /// - Returns: false if the pool has no worker left.
    private func startWorker(_ lane: Int) throws(Failure) -> Bool {
        if let workerPool { return try startWorker(lane, of: workerPool) }
        try startThread(in: group) { [self] in work(lane) }
        return true
    }

    private func startWorker(_ lane: Int, of workerPool: WorkerPool) throws(Failure) -> Bool {
        if lane == 0 { try workerPool.waitForRoom(latch) }
        let workerWait = WorkerWait(in: group, of: lane == 0 ? workerPool : nil)
        var hasStarted = false
        defer { if !hasStarted { workerWait.end() } }
        hasStarted = try workerPool.start(isFirst: lane == 0) { [self] in
            work(lane, workerWait)
            monitor?.threadDidEnd()
            workerWait.end()
        }
        if hasStarted {
            // A cancelled run does not wait for a worker that is in the middle of a frame.
            latch.onFailure { [weak latch] in if latch?.failure == .cancelled { workerWait.endUnlessReading() } }
        }
        return hasStarted
    }

    /// Processes chunks until none are left, on a worker's thread.
    private func work(_ lane: Int, _ workerWait: WorkerWait? = nil) {
        do throws(Failure) {
            var worker = Worker(transform: try makeTransform(), lane: lane, pipeline: self, workerWait: workerWait)
            worker.run(chunks)
        } catch {
            latch.fail(error)
        }
    }
}
