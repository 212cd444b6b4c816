internal import ByteStreams
internal import Dispatch
internal import Synchronization
internal import SystemPackage

/// Puts frames in order and hands them to a sink.
///
/// Workers only add to the order, for which they take a lock for a moment. What is due then is handed on by one of them
/// at a time, or by the thread that has written something: it copies, compares with what is there, and tells the
/// monitor, while the others go on.
final class FrameWriter: Sendable {
    private let sink: Sink?
    private let target: (any ByteSink)?
    /// Takes what the frames are, if they are content that somebody wants.
    private let content: ContentHash?
    /// Whether what is written goes past the page cache, in blocks.
    private let hasBlocks: Bool
    private let leavesHoles: Bool
    private let latch: FailureLatch
    private let monitor: Monitor?

    private let order: Mutex<FrameOrder>
    /// One thread at a time has what follows; nobody waits for it but `finish`.
    private let relay = Relay()
    private let outgoing: Mutex<Outgoing>
    /// What takes the frames instead of the output.
    private let comparison = Mutex<ContentComparison?>(nil)
    /// Blocks that were written since the last turn.
    private let freeBlocks = Atomic(0)

    private let tally: WriteTally
    private let outstanding = DispatchGroup()
    private let settled = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - sink: its descriptor stays open; nil to check the frames and write nothing.
    ///   - order: what surrounds the frames, and when they are held back.
    ///   - fullDisk: where writes to a file wait when its disk is full; nil if they fail then.
    ///   - replacesKept: whether what an earlier run has left there, and is not the same, is replaced.
    ///   - mayBypassCache: whether the sink's wish for that is followed.
    init(
        _ sink: Sink?, order: FrameOrder, content: ContentHash? = nil, fullDisk: FullDisk? = nil,
        replacesKept: Bool = false, mayBypassCache: Bool = false, latch: FailureLatch, monitor: Monitor?
    ) {
        self.sink = sink
        self.content = content
        self.latch = latch
        self.monitor = monitor
        tally = WriteTally(monitor)
        self.order = Mutex(order)
        hasBlocks = mayBypassCache && sink?.takesBlocks == true
        leavesHoles = !hasBlocks && sink?.takesHoles == true
        let kept = sink.flatMap { $0.kept(replacesOthers: replacesKept) }
        outgoing = Mutex(Outgoing(hasSink: sink != nil, hasBlocks: hasBlocks, kept: kept))
        target = sink?.open(hasBlocks: hasBlocks, fullDisk: fullDisk)
        // The writer holds the latch, which must not hold the writer.
        latch.onFailure { [weak self] in self?.target?.cancel() }
    }

    /// What is written, if an earlier run has left something there.
    var resumedSink: Sink? { sink?.resumption == nil ? nil : sink }

    /// Bytes that were written.
    var written: UInt64 { tally.written }
    /// Bytes of the frames that came in order, and of what they were made from.
    var sizes: (frames: UInt64, sources: UInt64) { order.withLock { $0.sizes } }
    /// Bytes of the content up to the end of what came, for an excerpt.
    var excerptPosition: UInt64 { order.withLock { $0.excerptPosition } }
    /// Whether all of an excerpt came.
    var isComplete: Bool { order.withLock { $0.isComplete } }

    /// Bytes that blocks take at most.
    var blockMemory: Int { hasBlocks ? Outgoing.blockMemory : 0 }
    /// Bytes that the seek table took.
    var tableMemory: Int { order.withLock { $0.tableMemory } }

    /// Tells from now on whether something is being written, whenever that may have changed. What is called must not
    /// wait.
    func onWriting(_ tell: @escaping @Sendable (_ isWriting: Bool) -> Void) {
        tally.onWriting(tell)
    }

    /// Takes a frame, or the failure that came in its place, from any thread and in any order.
    ///
    /// A failure ends the run when its turn has come and the frames before it are written: the output is a prefix of
    /// the right data, as long as it can be.
    func accept(_ outcome: consuming Result<Frame, Failure>, at index: Int, isLast: Bool = true) {
        // On the thread of its worker, beside those of the others.
        let holes = leavesHoles ? (try? (copy outcome).get())?.bytes.holes ?? [] : []
        // Moved on, so that nothing here keeps the memory of a frame whose slot goes back.
        var arriving: FrameOrder.Arrival? = FrameOrder.Arrival(
            outcome: consume outcome, holes: holes, time: Span.now())
        advance { order in
            if let arrival = arriving.take() { order.insert(arrival, at: index, isLast: isLast) }
        }
    }

    /// Writes an excerpt of what the frames hold only; what comes behind its end is dropped, failures too.
    ///
    /// - Parameter whenComplete: runs once, when no further frame is needed.
    func keep(only excerpt: Excerpt, whenComplete: @escaping @Sendable () -> Void) {
        advance { $0.keep(only: excerpt, whenComplete: whenComplete) }
    }

    /// Compares what the frames hold, in place of writing it.
    func compare(_ comparison: ContentComparison) { self.comparison.withLock { $0 = comparison } }

    /// So many slots more, or less, are in use: what is held back for them may be written.
    func slotsDidChange(by change: Int) { advance { $0.slotsDidChange(by: change) } }

    /// No more frames will come than are on their way.
    func inputDidEnd() { advance { $0.inputDidEnd() } }

    /// Waits until everything accepted is written, then ends the stream.
    ///
    /// - Parameter count: how many frames there were to come.
    /// - Throws: the first failure of the run.
    func finish(_ count: Int) throws(Failure) {
        try settle()
        let (next, isComplete) = order.withLock { ($0.nextIndex, $0.isComplete) }
        // Behind the end of an excerpt a failure may have come in place of a frame.
        precondition(next == count || isComplete && next > count, "a frame is missing, and nobody said why")
        let trailer = try order.withLock { order throws(Failure) in try order.trailer() }
        try settle(.trailer(Bytes(trailer)))
        try settle(.rest)
        try endHole()
    }

    /// Gives the descriptor back with the flags that it had, and waits for that.
    func close() { target?.finish() }

    /// Waits until everything that came is handed on, and this step behind it, and all of that is written.
    private func settle(_ step: FrameOrder.Step? = nil) throws(Failure) {
        advance { order in
            if let step { order.append(step) }
            order.append(.settled)
        }
        settled.wait()
        outstanding.wait()
        // Whoever handed on may not have come to tell the latch yet.
        if let failure = order.withLock({ $0.failure }) { latch.fail(failure) }
        try latch.check()
    }

    /// Changes the order, and hands on what is due then.
    private func advance(_ change: (inout FrameOrder) -> Void = { _ in }) {
        order.withLock { change(&$0) }
        relay.run(handOn)
        endIfDone()
    }

    private func handOn() {
        outgoing.withLock { outgoing in
            outgoing.blocksAreFree(freeBlocks.exchange(0, ordering: .acquiringAndReleasing))
            request(&outgoing)
            while let step = order.withLock({ $0.next() }) {
                do throws(Failure) {
                    try take(step, &outgoing)
                } catch {
                    order.withLock { $0.fail(error) }
                }
                request(&outgoing)
            }
            tally.tell()
        }
    }

    private func take(_ step: FrameOrder.Step, _ outgoing: inout Outgoing) throws(Failure) {
        switch step {
        case .frame(let due): try take(due, &outgoing)
        case .trailer(let bytes):
            if !bytes.isEmpty { try outgoing.append(bytes, whenFree: begin()) }
            try outgoing.endKept()
        case .rest: outgoing.requestRest(whenFree: begin())
        case .settled: settled.signal()
        }
    }

    private func take(_ due: FrameOrder.Due, _ outgoing: inout Outgoing) throws(Failure) {
        let frame = due.frame
        monitor?.record(
            Span(stage: .order, bytes: due.count, source: frame.sourceSize, start: due.arrival, end: Span.now()))
        // The memory is free when it is written, and what wants the content has had it.
        content?.append(due.bytes)
        let comparison = comparison.withLock { $0 }
        let sizes = Delivery(source: frame.sourceSize, made: due.count)
        tally.willDeliver(sizes, count: comparison == nil ? due.bytes.count : 0)
        let (slots, slotCount) = (frame.slots, frame.slotCount)
        let whenFree = begin { [content] in
            guard let content else { return slots.give(slotCount) }
            content.afterAll { slots.give(slotCount) }
        }
        if let comparison { return comparison.take(due.bytes, whenFree: whenFree) }
        try outgoing.append(due.bytes, without: due.holes, isPiece: frame.isPiece, whenFree: whenFree)
    }

    /// Something goes out, for which `settle` waits: what is to run when its memory is free.
    private func begin(_ whenFree: @escaping @Sendable () -> Void = {}) -> @Sendable () -> Void {
        outstanding.enter()
        return { [outstanding] in
            whenFree()
            outstanding.leave()
        }
    }

    /// Asks the sink for what can be written.
    private func request(_ outgoing: inout Outgoing) {
        do throws(Failure) {
            try outgoing.requestBlocks {
                begin { [self] in
                    freeBlocks.add(1, ordering: .acquiringAndReleasing)
                    advance()
                }
            }
        } catch {
            order.withLock { $0.fail(error) }
        }
        while let target, let request = outgoing.next() {
            tally.didBegin()
            let (count, made, isPiece, whenFree) = (request.count, request.made, request.isPiece, request.whenFree)
            target.write(request.bytes, after: request.hole) { [self] error in
                didWrite(count, since: made, isPiece: isPiece, error)
                OutputBuffer.afterReleases(whenFree)
            }
        }
        outgoing.takeDone().forEach(OutputBuffer.afterReleases)
    }

    private func didWrite(_ count: Int, since made: UInt64, isPiece: Bool, _ error: Errno?) {
        if let error {
            latch.fail(.writing(error))
            tally.didFail()
            // What comes goes the same way, and gives its slots back.
            return advance { $0.inputDidEnd() }
        }
        let isIdle = tally.didEnd(count, since: made)
        advance { if isIdle, !isPiece { $0.outputDidRunDry() } }
    }

    /// Ends the file behind a hole that nothing follows.
    private func endHole() throws(Failure) {
        let hole = outgoing.withLock { $0.takeHole() }
        guard hole > 0, let target else { return }
        tally.didBegin()
        let start = Span.now()
        try target.extend(by: hole)
        _ = tally.didEnd(Int(hole), since: start)
    }

    /// Ends the run if it has failed, and what would go on after an excerpt.
    private func endIfDone() {
        let (failure, whenComplete) = order.withLock { ($0.failure, $0.takeWhenComplete()) }
        if let failure, tally.isIdle { latch.fail(failure) }
        whenComplete?()
    }
}
