package import ByteStreams
internal import Dispatch

/// The structure of every run: three loops. The calling thread is the reader; workers and the writer have threads of
/// their own, outside of Dispatch's pools, which the reads and writes need.
///
///     reader:  while slots.take(), let chunk = cutter.next()  { work.push(chunk) }
///     worker:  while let chunk = work.pop()                   { order.insert(transform(chunk)) }            (several)
///     writer:  while let frame = order.next()                 { filter, envelope, sink.write(frame) };  trailer, end
///
/// `work` is a queue; the `order` belongs to the writer, and keeps frames until their turn comes. A failure takes the
/// place of the frame that can't be made. If nothing is written, and nobody looks at what is made, there is no writer:
/// whoever finds a frame due drops it (`FrameWriter`). One worker is started with each of the first chunks, so that a
/// short input does not pay for all of them, or with later chunks if the pool has none available before.
///
/// A chunk in segments is pushed before they are read. Its worker takes them from a queue of its own, and hands what it
/// makes of them to the order, piece by piece; there is room for a few that wait (`SegmentOutput`).
///
/// No two loops wait for each other for ever, because the oldest chunk that is not written always gets on. What each
/// waits for, and what ends that:
///
/// - The writer waits for the frame of that chunk. Workers take chunks in their order, so a worker has it, or will take
///   it next. The first frame may also wait for the second, or for the end of the input: two slots are enough for that.
///   The writer waits for its sink, until that has written enough.
/// - A worker waits for a chunk, and for the next segment of one: the reader brings it, or ends the queue. It waits for
///   room for what it has made, and for memory of a frame that all cores decode: the writer empties both when the chunk
///   is the oldest. It waits for the checksum of what it has made, but never for the order.
/// - If its chunk goes on where another one was thought to begin (`ChunkChain`), it waits for the chunks before, which
///   workers have, and which never wait for it. Then it gets the bytes of those after it, with their slots, and what is
///   read from then on. Those chunks are dropped, and so is what was made of them.
/// - The reader waits for a slot. Slots are held by chunks and segments that a worker has or will take, and by frames
///   that the writer takes in their turn. A chunk in segments holds one, a segment that waits or is worked on another,
///   and the reader a third: three are the least for such chunks, two for whole ones.
/// - It waits for the permit of a large window, until the worker that has it ends its chunk. Frames are held back only
///   while the reader can take another slot (`HoldBack`): while it waits for a permit, all slots count as in use. So
///   they do while it waits until all chunks whose ends are claimed have ended, before one that comes in segments.
/// - The reader also waits for its input, for the rate and for the hash of the chunk before; before its first worker,
///   for workers that cancelled runs have left, which depend on nothing (`WorkerPool`); and at the end, when all queues
///   are closed, for the workers and then for the writer.
///
/// A source that is silent, and a sink that takes nothing, let everybody wait. The latch ends that: the waits for
/// slots, permits, work, order, room, memory and the pool, and those within source and sink. The reader, once awake,
/// ends the segments of a chunk. What the queue and the order have is dropped then, and so is what comes later.
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
                defer { if !isRead { slots.give(unread: true) } }
                guard var chunk = try cutter.next() else { break }
                isRead = true
                slots.fill()
                chunk.index = count
                chunk.hold(Lease { [slots, number = chunk.slotCount] in slots.give(number) })
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

    /// Drops the chunks after this one, those that come later too, and what was made of them.
    func end(after index: Int) {
        writer.end(after: index)
        work.close(dropping: true)
    }

    private func takeSlot() -> Bool {
        let start = StageSpan.now()
        defer { monitor?.record(StageSpan(stage: .slot, start: start)) }
        return slots.take(unread: true)
    }

    /// Starts another worker. If the system has no thread for it, those that have started do the run. If it has none
    /// for Dispatch later, all but one of them may end (`SpareThreads`).
    ///
    /// - Parameter most: how many workers there may be: no more are tried after that, because Dispatch needs threads,
    ///   too.
    /// - Throws: if there is none at all.
    private func startAnother(_ started: inout Int, of most: inout Int) throws(Failure) {
        do throws(Failure) {
            guard try startWorker(started) else { return }
            work.didStartThread()
            started += 1
        } catch {
            most = started
            if started > 0 { return }
            // Without any worker, the chunk in the queue would never be processed, and a failure after it would never
            // have its turn.
            latch.fail(error)
            throw error
        }
    }

    /// Starts a worker on its own thread, outside of Dispatch's pools.
    ///
    /// - Returns: false if the pool has no worker left.
    private func startWorker(_ lane: Int) throws(Failure) -> Bool {
        guard let workerPool else {
            try startThread(in: group, isSpare: lane > 0) { [self] in process(lane) }
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
