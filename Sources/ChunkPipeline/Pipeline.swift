package import ByteStreams
internal import Dispatch

/// The structure of every run: three loops, each on threads of its own.
///
///     reader:  while slots.take(), let chunk = cutter.next()  { work.push(chunk) }
///     worker:  while let chunk = work.pop()                   { order.insert(transform(chunk)) }            (several)
///     writer:  while let frame = order.next()                 { filter, envelope, sink.write(frame) };  trailer, end
///
/// The calling thread is the reader. One worker is started with each of the first chunks, so that a short input does
/// not pay for all of them, or with later chunks if the pool has none available before.
///
/// No two loops can wait for each other, because what each waits for is ended by a loop after it, and by itself:
///
/// - The writer waits for the frame of the oldest chunk that is not written, and for its sink. Workers take chunks in
///   their order, so a worker has that chunk, or will have it next.
/// - A worker never waits for the order. It waits for a chunk, which the reader brings if there is one. For a chunk in
///   segments it waits for the next of them, and for room for what it has made, which the writer empties when the chunk
///   is the oldest.
/// - The reader waits for input, and for a slot. Slots are held by chunks that a worker has or will take, and by frames
///   that the writer takes in their turn. A chunk in segments holds one, the segment that is read another, and the
///   reader a third: that is the least number of slots. Frames are held back only while the reader can take another
///   slot (`HoldBack`).
///
/// A source that is silent, and a sink that takes nothing, let everybody wait. The latch ends that: the waits for
/// slots, work and order, and those within the source, the sink and the segments. What the queue and the order have is
/// dropped then, and so is what comes later.
package struct Pipeline<Work: Transform & SendableMetatype & ~Copyable> {
    let workers: Int
    let slots: Slots
    let writer: FrameWriter
    let latch: FailureLatch
    let monitor: Monitor?
    /// Shares workers among runs; nil if the run starts its own.
    let workerPool: WorkerPool?
    let makeTransform: @Sendable () throws(Failure) -> Work

    private let work = WorkQueue<Chunk>()
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
        try writer.start()
        latch.onFailure { [slots, work] in
            slots.cancel()
            work.close(dropping: true)
        }
        var (count, started, most) = (0, 0, workers)
        do {
            while takeSlot() {
                var isRead = false
                defer { if !isRead { slots.give(areEmpty: true) } }
                guard var chunk = try cutter.next() else { break }
                isRead = true
                slots.fill()
                chunk.index = count
                chunk.lease = Lease { [slots, number = chunk.slotCount] in slots.give(number) }
                work.push(chunk)
                count += 1
                if started < most { try startAnother(&started, of: &most) }
            }
        } catch {
            writer.accept(.failure(error), at: count)
        }
        cutter.cancel()
        writer.inputDidEnd()
        work.close()
        group.wait()
        try writer.finish(count)
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
            if started > 0 { return }
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
        guard let workerPool else {
            try startThread(in: group) { [self] in process(lane) }
            return true
        }
        if lane == 0 { try workerPool.waitForRoom(latch) }
        let workerWait = WorkerWait(in: group, of: lane == 0 ? workerPool : nil)
        var hasStarted = false
        defer { if !hasStarted { workerWait.end() } }
        hasStarted = try workerPool.start(isFirst: lane == 0) { [self] in
            process(lane, workerWait)
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
    private func process(_ lane: Int, _ workerWait: WorkerWait? = nil) {
        do throws(Failure) {
            var worker = Worker(transform: try makeTransform(), lane: lane, pipeline: self, workerWait: workerWait)
            worker.run(work)
        } catch {
            latch.fail(error)
        }
    }
}
