internal import ByteStreams
internal import Dispatch
internal import Synchronization
internal import SystemPackage

/// One shape for every run: chunks in, workers, frames out in order.
///
/// The calling thread is the reader. It waits for slots and for the input; the workers wait for chunks. A worker
/// starts with each of the first chunks, so that a short input does not pay for all of them; or with later ones, if
/// the crew has none before.
struct Pipeline<Work: Transform & SendableMetatype & ~Copyable> {
    let workers: Int
    let slots: Slots
    let writer: FrameWriter
    let latch: FailureLatch
    let monitor: Monitor?
    /// Who gives it workers; nil if it has as many as it wants.
    let crew: Crew?
    let makeTransform: @Sendable () throws(Failure) -> Work

    /// Runs to the end of the input, or to the first failure.
    ///
    /// - Returns: the bytes that all the workers held between chunks.
    func run(_ cutter: inout some ChunkCutter) throws(Failure) -> Int {
        let chunks = WorkQueue<Chunk>()
        let group = DispatchGroup()
        latch.onFailure { [slots] in
            slots.cancel()
            chunks.cancel()
        }
        let memory = SharedCount()
        var (count, started) = (0, 0)
        do {
            while takeSlot() {
                guard let content = try cutter.next() else {
                    slots.give(areEmpty: true)
                    break
                }
                slots.fill()
                chunks.push(Chunk(index: count, content: content))
                count += 1
                if started < workers, try startWorker(started, on: chunks, in: group, memory) { started += 1 }
            }
        } catch {
            writer.accept(.failure(error), at: count)
        }
        cutter.cancel()
        writer.inputDidEnd()
        chunks.close()
        group.wait()
        try writer.finish(count)
        return memory.value
    }

    private func takeSlot() -> Bool {
        let start = Span.now()
        defer { monitor?.record(Span(stage: .slot, start: start, end: Span.now())) }
        return slots.take(isEmpty: true)
    }

    /// Each worker has a thread of its own, beyond the pools of Dispatch: these are for reading and writing.
    ///
    /// - Returns: whether there was one to be had.
    private func startWorker(
        _ lane: Int, on chunks: WorkQueue<Chunk>, in group: DispatchGroup, _ memory: SharedCount
    ) throws(Failure) -> Bool {
        do throws(Failure) {
            if let crew { return try startWorker(of: crew, lane, on: chunks, in: group, memory) }
            try startThread(in: group) { [self] in work(lane, chunks, memory) }
            return true
        } catch {
            // The chunk that it was for has nobody.
            latch.fail(error)
            throw error
        }
    }

    private func startWorker(
        of crew: Crew, _ lane: Int, on chunks: WorkQueue<Chunk>, in group: DispatchGroup, _ memory: SharedCount
    ) throws(Failure) -> Bool {
        let presence = Presence(in: group)
        do throws(Failure) {
            let hasStarted = try crew.start(isFirst: lane == 0) { [self] in
                work(lane, chunks, memory, presence)
                monitor?.threadDidEnd()
                presence.end()
            }
            if hasStarted { leaveOut(presence) } else { presence.end() }
            return hasStarted
        } catch {
            presence.end()
            throw error
        }
    }

    /// Has a run that is cancelled not wait for a worker in the middle of a frame.
    private func leaveOut(_ presence: Presence) {
        latch.onFailure { [weak latch] in
            if latch?.failure == .cancelled { presence.endUnlessReading() }
        }
    }

    /// Works until there is nothing left, on the thread of a worker.
    private func work(
        _ lane: Int, _ chunks: WorkQueue<Chunk>, _ memory: SharedCount, _ presence: Presence? = nil
    ) {
        do throws(Failure) {
            var worker = Worker(
                transform: try makeTransform(), lane: lane, writer: writer, slots: slots, latch: latch,
                monitor: monitor, presence: presence)
            worker.run(chunks)
            memory.add(worker.memory)
        } catch {
            latch.fail(error)
        }
    }
}

/// A number that several threads add to.
private final class SharedCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add(_ number: Int) { count.add(number, ordering: .acquiringAndReleasing) }
}
