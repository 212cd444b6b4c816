internal import Dispatch
internal import Synchronization

/// Puts frames in order and hands them to a sink.
///
/// Workers add frames to the order under a lock that they hold for a moment. One thread at a time, a worker or the one
/// that has written something, hands on the frames that are due: it copies, compares and reports while the others go
/// on.
final class FrameWriter: Sendable {
    private let sink: Sink?
    private let stream: (any ByteSink)?
    private let content: ContentHash?
    private let leavesHoles: Bool
    private let latch: FailureLatch
    private let monitor: Monitor?

    private let order: Mutex<FrameOrder>
    /// Lets one thread at a time hand on frames. Only `finish` waits for it.
    private let relay = Relay()
    private let outgoing: Mutex<Outgoing>
    /// Takes the frames instead of the output.
    private let comparison = Mutex<ContentComparison?>(nil)
    /// Decides which bytes of the content are written; nil for all.
    private let filter = Mutex<(any ContentFilter)?>(nil)
    /// Blocks that were written since frames were last handed on.
    private let freeBlocks = Atomic(0)

    private let tally: WriteTally
    private let outstanding = DispatchGroup()
    /// Hands on what is due since memory became free. The queue that frees it serves all runs of the process, and must
    /// not wait for the disk of one.
    private let handingOn = DispatchQueue(label: "sluice.handing-on")
    private let settled = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - sink: its descriptor stays open; nil checks the frames and writes nothing.
    ///   - content: hashes the frames.
    ///   - areCompressed: whether frames are made from content: seldom read next, they may bypass the page cache, and
    ///     those that an earlier run has left are replaced where they differ.
    init(
        _ sink: Sink?, order: FrameOrder, content: ContentHash? = nil, areCompressed: Bool = false,
        latch: FailureLatch, monitor: Monitor?
    ) {
        self.sink = sink
        self.content = content
        self.latch = latch
        self.monitor = monitor
        tally = WriteTally(monitor)
        self.order = Mutex(order)
        // Whether the output bypasses the page cache, in blocks.
        let hasBlocks = areCompressed && sink?.takesBlocks == true
        leavesHoles = !hasBlocks && sink?.takesHoles == true
        let kept = sink.flatMap { $0.kept(replacesOthers: areCompressed) }
        outgoing = Mutex(Outgoing(hasSink: sink != nil, hasBlocks: hasBlocks, kept: kept))
        stream = sink?.open(hasBlocks: hasBlocks)
        // The writer holds the latch, so the latch must not hold the writer.
        latch.onFailure { [weak self] in self?.stream?.cancel() }
    }

    /// The sink, if an earlier run has left unfinished output there.
    var resumedSink: Sink? { sink?.resumption == nil ? nil : sink }

    var written: UInt64 { tally.written }
    var sizes: Delivery { order.withLock { $0.sizes } }
    var excerptPosition: UInt64 { order.withLock { $0.excerptPosition } }
    var isComplete: Bool { order.withLock { $0.isComplete } }

    /// Calls `tell`, which must not wait, whenever it may have changed whether something is being written.
    func onWriting(_ tell: @escaping @Sendable (_ isWriting: Bool) -> Void) { tally.onWriting(tell) }

    /// Takes a frame, or the failure in its place, from any thread and in any order.
    ///
    /// A failure ends the run when its turn has come and the frames before it are written: the output is the longest
    /// possible prefix of the right data.
    func accept(_ outcome: consuming Result<Frame, Failure>, at index: Int, isLast: Bool = true) {
        // Moved, so that nothing here keeps the memory of a frame whose slot goes back.
        var arriving: Result<Frame, Failure>?
        switch consume outcome {
        case .success(var frame):
            // Searched on the thread of the worker, in parallel to the others.
            if leavesHoles { frame.holes = frame.bytes.holes }
            frame.arrival = Span.now()
            arriving = .success(frame)
        case .failure(let failure): arriving = .failure(failure)
        }
        advance { order in
            if let outcome = arriving.take() { order.insert(outcome, at: index, isLast: isLast) }
        }
    }

    /// Writes only an excerpt from now on, and drops everything after its end, failures too.
    ///
    /// - Parameter whenComplete: runs once, when no further frame is needed.
    func keep(only excerpt: Excerpt, whenComplete: @escaping @Sendable () -> Void) {
        advance { $0.keep(only: excerpt, whenComplete: whenComplete) }
    }

    /// Compares the frames instead of writing them.
    func compare(_ comparison: ContentComparison) { self.comparison.withLock { $0 = comparison } }

    /// Writes only what a filter hands on, from now on.
    func pass(through filter: any ContentFilter) { self.filter.withLock { $0 = filter } }

    /// Reports that more slots are in use, or fewer; frames that were held back may be due.
    func slotsDidChange(by change: Int) {
        order.withLock { $0.slotsDidChange(by: change) }
        advanceLater()
    }

    /// Reports that no further chunk will be read.
    func inputDidEnd() { advance { $0.inputDidEnd() } }

    /// Waits until everything accepted is written, then ends the stream.
    ///
    /// - Parameter count: how many frames there were.
    /// - Throws: the first failure of the run.
    func finish(_ count: Int) throws(Failure) {
        try settle()
        let (next, isComplete) = order.withLock { ($0.nextIndex, $0.isComplete) }
        // After the end of an excerpt a failure may have taken the place of a frame.
        precondition(next == count || isComplete && next > count, "a frame is missing without a failure")
        let trailer = try order.withLock { order throws(Failure) in try order.trailer() }
        let end = Bytes((filter.withLock { $0 }?.end ?? []) + trailer)
        try settle { outgoing throws(Failure) in
            if !end.isEmpty { try outgoing.append(end, whenFree: begin()) }
            try outgoing.endKept()
        }
        try settle { outgoing in outgoing.requestRest(whenFree: begin()) }
        try endOutput()
    }

    /// Gives the descriptor back with the flags that it had, and waits for that.
    func close() { stream?.finish() }

    /// Waits until all frames, and what is added to the output, are handed on and written.
    private func settle(_ add: @Sendable (inout Outgoing) throws(Failure) -> Void = { _ in }) throws(Failure) {
        do throws(Failure) {
            try outgoing.withLock { outgoing throws(Failure) in try add(&outgoing) }
        } catch {
            order.withLock { $0.fail(error) }
        }
        advance { $0.settle() }
        settled.wait()
        outstanding.wait()
        // The thread that hands on may not have told the latch yet.
        if let failure = order.withLock({ $0.failure }) { latch.fail(failure) }
        try latch.check()
    }

    /// Changes the order, and hands on the frames that are due then.
    private func advance(_ change: (inout FrameOrder) -> Void = { _ in }) {
        order.withLock { change(&$0) }
        relay.run {
            handOn()
            endIfDone()
        }
    }

    /// Hands on the frames that are due, on another thread; `settle` waits for that.
    private func advanceLater() {
        handingOn.async(group: outstanding) { [self] in advance() }
    }

    private func handOn() {
        outgoing.withLock { outgoing in
            outgoing.blocksAreFree(freeBlocks.exchange(0, ordering: .acquiringAndReleasing))
            request(&outgoing)
            while let step = order.withLock({ $0.next() }) {
                switch step {
                case .settled: settled.signal()
                case .frame(let frame, let header):
                    do throws(Failure) { try take(frame, behind: header, &outgoing) } catch {
                        order.withLock { $0.fail(error) }
                    }
                    request(&outgoing)
                }
            }
            tally.tell()
        }
    }

    private func take(_ frame: Frame, behind header: [UInt8], _ outgoing: inout Outgoing) throws(Failure) {
        var (bytes, holes) = (frame.bytes, frame.holes)
        if let filter = filter.withLock({ $0 }) {
            bytes = try filter.take(bytes)
            holes = leavesHoles ? bytes.holes : []
        }
        monitor?.record(Span(stage: .order, bytes: bytes.count, source: frame.sourceSize, start: frame.arrival))
        let sizes = Delivery(source: frame.sourceSize, made: bytes.count)
        if !header.isEmpty { (bytes, holes) = (Bytes(joining: [Bytes(header), bytes]), []) }
        // The memory is free when it is written and hashed.
        content?.append(bytes)
        let comparison = comparison.withLock { $0 }
        tally.willDeliver(sizes, count: comparison == nil ? bytes.count : 0)
        let whenFree = begin { [content, whenFree = frame.whenFree] in
            guard let content else { return whenFree() }
            content.afterAll(whenFree)
        }
        if let comparison { return comparison.take(bytes, whenFree: whenFree) }
        try outgoing.append(bytes, without: holes, isContinued: frame.isContinued, whenFree: whenFree)
    }

    /// Registers bytes that `settle` waits for.
    ///
    /// - Returns: what to run when their memory is free.
    private func begin(_ whenFree: @escaping @Sendable () -> Void = {}) -> @Sendable () -> Void {
        outstanding.enter()
        return { [outstanding] in
            whenFree()
            outstanding.leave()
        }
    }

    /// Hands the sink everything that can be written.
    private func request(_ outgoing: inout Outgoing) {
        do throws(Failure) {
            try outgoing.requestBlocks {
                begin { [self] in
                    freeBlocks.add(1, ordering: .acquiringAndReleasing)
                    advanceLater()
                }
            }
        } catch {
            order.withLock { $0.fail(error) }
        }
        while let stream, let request = outgoing.next() {
            tally.didBegin()
            let (count, made, whenFree) = (request.count, request.made, request.whenFree)
            let isContinued = request.isContinued
            stream.write(request.bytes, after: request.hole) { [self] error in
                didWrite(count, since: made, isContinued: isContinued, error)
                OutputBuffer.afterReleases(whenFree)
            }
        }
        outgoing.takeDone().forEach(OutputBuffer.afterReleases)
    }

    private func didWrite(_ count: Int, since made: UInt64, isContinued: Bool, _ error: Errno?) {
        if let error {
            latch.fail(.writing(error))
            tally.didFail()
            // Later frames must not be held back, so that they give their slots back.
            return advance { $0.inputDidEnd() }
        }
        let isIdle = tally.didEnd(count, since: made)
        advance { if isIdle, !isContinued { $0.outputDidRunDry() } }
    }

    /// Ends the output, after a hole if there is one.
    private func endOutput() throws(Failure) {
        guard let stream else { return }
        let hole = outgoing.withLock { $0.takeHole() }
        guard hole > 0 else { return try stream.end(after: 0) }
        tally.didBegin()
        let start = Span.now()
        try stream.end(after: hole)
        _ = tally.didEnd(Int(hole), since: start)
    }

    /// Ends the run if it has failed, and the reading after an excerpt.
    private func endIfDone() {
        let (failure, whenComplete) = order.withLock { ($0.failure, $0.takeWhenComplete()) }
        if let failure, tally.isIdle { latch.fail(failure) }
        whenComplete?()
    }
}
