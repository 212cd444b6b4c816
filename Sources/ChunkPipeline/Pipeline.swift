package import ByteStreams
internal import Dispatch

/// The structure of every run: three loops. The calling thread is the reader. Workers and the writer have threads of
/// their own, so that Dispatch's pools stay free for its reads and writes.
///
///     reader:  while slots.take(), let chunk = cutter.next()  { work.push(chunk) }
///     worker:  while let chunk = work.pop()                   { order.insert(transform(chunk)) }            (several)
///     writer:  while let frame = order.next()                 { envelope, filter, sink.write(frame) };  trailer, end
///
/// `work` is a queue; the `order` (in `FrameWriter`) keeps frames until all earlier ones are written. If a chunk can't
/// be read or transformed, its failure takes its place there: the writer writes what comes before (not a first frame
/// that waits for the second), and then ends the run, unless a filter needs no more. A failed write ends it at once. If
/// nothing is written, and nobody looks at what is made, there is no writer: the thread that brings a frame or a
/// failure drops all that are then due.
///
/// The reader starts one worker with each of the first chunks, so that a short input does not pay for all of them. If
/// the pool has none available, or the system no thread for one, it tries again with the next chunk.
///
/// The reader pushes a chunk in segments first, and reads them in the next call of `cutter.next`. The worker takes them
/// from a queue of the chunk's own, and hands what it makes of them to the order, piece by piece; a few pieces (four or
/// more) may wait to be written (`SegmentOutput`, which has slots of its own for them).
///
/// Slots bound chunks and frames together: the lease of a chunk goes on with its frame, to the sink and to those who
/// look at it, and gives the slots back when the last of them lets go of the bytes. Besides, a worker has a buffer, a
/// chunk in segments its pieces, and the sink a few blocks.
///
/// No two loops wait for each other for ever, because the oldest chunk that is not written never waits for a later one,
/// except for a first frame and for held frames, as said below. What each waits for, and what ends that:
///
/// - The writer waits for the frame of that chunk. Workers take chunks in their order, so a worker has it, or will take
///   it next. The first frame may wait for the second, or for the end of the input, because alone it would look like a
///   complete output: two slots are enough for that. The writer waits until the sink has room and, before it sleeps,
///   until everything is written.
/// - A worker waits for a chunk, and for the next segment of one: the reader brings it, or ends the queue. It waits for
///   room for what it makes next: the writer makes room when the chunk is the oldest. It waits for memory of a frame
///   that all cores decode, until nobody keeps the bytes of an earlier piece: whoever keeps them longer than their
///   lease has a copy. It waits for the checksum of what it has made. To insert into the order it never waits.
/// - If its chunk goes on where another one was thought to begin (`ChunkChain`), it waits for the chunks before, which
///   workers have, and which never wait for it. Then it gets the bytes of those after it, with their slots, and what is
///   read from then on. Those chunks are dropped, and so is what was made of them.
/// - The reader waits for a slot. Slots are held by chunks and segments that a worker has or will take, and by frames
///   that the writer takes in their turn; a chain holds those of its chunks until all before have ended. (A worker that
///   fails in the middle of a chunk closes its queue, and the reader stops if it still reads that.) A chunk in segments
///   holds one, a segment that waits or is worked on another, and while the reader reads segments it holds a third for
///   the next chunk: three are the least for such chunks, two for whole ones.
/// - It waits for the permit of a large window, until the worker of an earlier chunk gives it back. With a buffer that
///   is to be full, frames are held back until enough slots are in use (`HoldBack`): while the reader waits for a
///   permit, all of them count as in use. So they do while it waits until all chunks whose ends are claimed have ended,
///   before one that comes in segments.
/// - The reader also waits for its input, for the rate and for the hash of the chunk before; before its first worker,
///   while there are as many of them as processors, for workers that cancelled runs have left, which depend on nothing
///   (`WorkerPool`); and at the end, when all queues are closed, for the workers and then for the writer, and until
///   nobody keeps memory of its frames.
///
/// A source that is silent, and a sink that takes nothing, make everybody wait. The latch ends that: the waits for
/// slots, permits, work, order, room, memory, the chain and the pool, and those within source and sink. The reader,
/// once awake, ends the segments of a chunk. Only a system call, and the frame that a worker is making, still come to
/// their own end. What the queue and the order have is dropped, and so are later frames.
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
    /// Entered for each worker; `run` waits until they have ended, or are left behind (`WorkerWait`).
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
                // A slot without a chunk does not count for the monitor.
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
    /// - Parameter most: how many workers there may be. Outside of a pool no more are tried when the system has had no
    ///   thread for one, because Dispatch needs threads, too.
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
    /// - Returns: false if the pool has no worker left, or the system no thread for it.
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
            // A cancelled run does not wait for a worker that is in the middle of a frame. It does wait for one that
            // reads: later, the number of the descriptor may belong to another file.
            latch.onFailure { [weak latch] in if latch?.failure == .cancelled { workerWait.endUnlessReading() } }
        }
        return hasStarted
    }

    /// Processes chunks until none are left, or threads are scarce, on a worker's thread.
    private func process(_ lane: Int, _ workerWait: WorkerWait? = nil) {
        do throws(Failure) {
            var worker = Worker(transform: try makeTransform(), lane: lane, pipeline: self, workerWait: workerWait)
            worker.run(work)
        } catch {
            latch.fail(error)
        }
    }
}
