package import ByteStreams
internal import Dispatch
internal import Synchronization
internal import SystemPackage

/// Puts frames in order and hands them to a sink.
///
/// Workers add frames to the order under a lock held only briefly. One thread at a time hands on the frames that are
/// due: it copies, compares and reports while the others continue. That thread may be a worker, the reader, one that
/// has just written something, or `handingOn`.
package final class FrameWriter: Sendable {
    private let order: Mutex<FrameOrder>
    /// Each decides which bytes of the content are written, one after the other.
    private let filters = Mutex<[any ContentFilter]>([])
    /// Receives the frames; the last sink of the chain is the queue.
    private let sink: Mutex<any ContentSink>
    private let queue: OutputQueue
    /// Whether zeros become holes. They are searched for where a frame is made.
    private let leavesHoles: Bool
    private let latch: FailureLatch
    private let monitor: Monitor?

    /// Lets one thread at a time hand on frames. Only `finish` waits for that.
    private let relay = Relay()
    /// Hands on what has become due because memory was freed. The queue that frees memory serves all runs of the
    /// process, and must not wait for the disk of one.
    private let handingOn = DispatchQueue(label: "sluice.handing-on")
    /// Frames whose memory is not free yet.
    private let outstanding = DispatchGroup()
    /// Called once all frames that have arrived are handed on.
    private let closing = Mutex<(@Sendable (any ContentSink) throws(Failure) -> Void)?>(nil)
    private let settled = DispatchSemaphore(value: 0)

    package init(
        _ order: FrameOrder, to queue: OutputQueue, leavesHoles: Bool = false, latch: FailureLatch, monitor: Monitor?
    ) {
        self.order = Mutex(order)
        (self.queue, self.leavesHoles, self.latch, self.monitor) = (queue, leavesHoles, latch, monitor)
        sink = Mutex(queue)
        queue.onWritten { [weak self] in self?.didWrite($0) }
        // The writer holds the latch, so the latch must not hold the writer.
        latch.onFailure { [weak queue] in queue?.cancel() }
    }

    /// The bytes written so far.
    package var written: UInt64 { queue.written }
    /// The sizes of everything that has arrived at the output.
    package var sizes: Delivery { queue.total }

    /// Calls `tell`, which must not wait, whenever the state "something is being written" may have changed.
    package func onWriting(_ tell: @escaping @Sendable (_ isWriting: Bool) -> Void) { queue.onWriting(tell) }

    /// Puts another sink around the existing ones, before any frame comes.
    @discardableResult
    package func surround<Outer: ContentSink>(_ make: (any ContentSink) -> Outer) -> Outer {
        sink.withLock { sink in
            let outer = make(sink)
            sink = outer
            return outer
        }
    }

    /// Adds a filter before the existing ones, which from now on only see what it passes.
    package func pass(through filter: any ContentFilter) {
        filters.withLock { $0.insert(filter, at: 0) }
        if filter.isComplete { order.withLock { $0.isComplete = true } }
    }

    /// Accepts a frame, or the failure in its place, from any thread and in any order.
    ///
    /// A failure ends the run when its turn has come and the frames before it are written, except for bytes in a block
    /// that is not full. The output is then a prefix of the right data.
    package func accept(_ outcome: consuming Result<ChunkResult, Failure>, at index: Int, isLast: Bool = true) {
        // Moved, so that nothing here keeps the memory of a frame whose slot is given back.
        var arriving: Result<ChunkResult, Failure>?
        switch consume outcome {
        case .success(var frame):
            // Search on the worker's thread, in parallel with other workers.
            if leavesHoles { frame.holes = frame.bytes.zeroRuns }
            frame.arrival = StageSpan.now()
            arriving = .success(frame)
        case .failure(let failure): arriving = .failure(failure)
        }
        advance { order in
            if let outcome = arriving.take() { order.insert(outcome, at: index, isLast: isLast) }
        }
    }

    /// Reports a change in the number of slots in use, after which frames that were held back may be due.
    package func slotsDidChange(by change: Int) {
        order.withLock { $0.slotsDidChange(by: change) }
        advanceLater()
    }

    /// Reports that no more chunks will be read.
    package func inputDidEnd() { advance { [latch] in $0.inputDidEnd(because: latch.failure) } }

    /// Hands on what is due, on another thread. `settle` waits for that.
    package func advanceLater() {
        handingOn.async(group: outstanding) { [self] in advance() }
    }

    /// Waits until everything accepted is written, then ends the stream.
    ///
    /// - Parameter count: the number of frames.
    /// - Throws: the first failure of the run.
    package func finish(_ count: Int) throws(Failure) {
        try settle()
        let (next, isComplete) = order.withLock { ($0.nextIndex, $0.isComplete) }
        // If no more frames were needed, a failure may have taken the place of one.
        precondition(next == count || isComplete && next > count, "a frame is missing without a failure")
        let trailer = try order.withLock { order throws(Failure) in try order.trailer() }
        let end = Bytes(filters.withLock { $0.flatMap(\.end) } + trailer)
        if !end.isEmpty {
            try settle { [self] sink throws(Failure) in
                try sink.write(tracked(ChunkResult(bytes: end, sourceSize: 0)))
            }
        }
        try settle { sink throws(Failure) in try sink.flush() }
        do throws(Failure) { try sink.withLock { $0 }.end() } catch {
            latch.fail(error)
            try latch.check()
        }
    }

    /// Restores the descriptor's original flags, and waits for that.
    package func close() { queue.close() }

    /// Waits until all frames are handed on, then what `closing` adds, and until their memory is free.
    private func settle(_ closing: (@Sendable (any ContentSink) throws(Failure) -> Void)? = nil) throws(Failure) {
        self.closing.withLock { $0 = closing }
        advance { $0.settle() }
        settled.wait()
        outstanding.wait()
        // The thread that hands on frames may not have reported the failure yet.
        if let failure = order.withLock({ $0.failure }) { latch.fail(failure) }
        try latch.check()
    }

    /// Changes the order, and hands on the frames that are then due.
    private func advance(_ change: (inout FrameOrder) -> Void = { _ in }) {
        order.withLock { change(&$0) }
        relay.run {
            handOn()
            // Fail only when everything before the failure is written.
            if let failure = order.withLock({ $0.failure }), queue.isIdle { latch.fail(failure) }
        }
    }

    private func handOn() {
        let sink = sink.withLock { $0 }
        attempt { () throws(Failure) in try sink.advance() }
        while let step = order.withLock({ $0.next() }) {
            attempt { () throws(Failure) in
                switch step {
                case .frame(let frame, let header): try take(frame, after: header, sink)
                case .settled:
                    defer { settled.signal() }
                    if let body = closing.withLock({ $0.take() }) { try body(sink) }
                }
            }
        }
        attempt { () throws(Failure) in try sink.advance() }
    }

    /// Runs a body, and ends the output if it fails.
    private func attempt(_ body: () throws(Failure) -> Void) {
        do throws(Failure) { try body() } catch { order.withLock { $0.fail(error) } }
    }

    private func take(_ frame: consuming ChunkResult, after header: [UInt8], _ sink: any ContentSink) throws(Failure) {
        var frame = tracked(frame)
        try filter(&frame)
        frame.madeSize = frame.bytes.count
        monitor?.record(StageSpan(stage: .order, bytes: frame.madeSize, source: frame.sourceSize, start: frame.arrival))
        if !header.isEmpty { (frame.bytes, frame.holes) = (Bytes(joining: [Bytes(header), frame.bytes]), []) }
        try sink.write(frame)
    }

    private func filter(_ frame: inout ChunkResult) throws(Failure) {
        let filters = filters.withLock { $0 }
        if filters.isEmpty { return }
        for filter in filters {
            frame.bytes = try filter.take(frame.bytes, isContinued: frame.isContinued)
            if filter.isComplete { order.withLock { $0.isComplete = true } }
        }
        frame.holes = leavesHoles ? frame.bytes.zeroRuns : []
    }

    /// Returns the frame with a lease, so that `settle` waits for its memory.
    private func tracked(_ frame: ChunkResult) -> ChunkResult {
        outstanding.enter()
        let leave = { @Sendable [outstanding] in outstanding.leave() }
        if let lease = frame.lease {
            lease.then(leave)
            return frame
        }
        var frame = frame
        frame.lease = Lease(leave)
        return frame
    }

    private func didWrite(_ outcome: Result<OutputQueue.WriteEnd, Errno>) {
        switch outcome {
        case .success(let end):
            // In the middle of a frame, holding back would not fill the buffer.
            advance { if end.isIdle, !end.isContinued { $0.outputDidRunDry() } }
        case .failure(let error):
            latch.fail(.writing(error))
            // Stop holding back later frames, so that they give their slots back.
            advance { $0.stopHoldingBack() }
        }
    }
}

extension FrameWriter {
    /// Creates a writer for a descriptor's sink: past the page cache or through it, with or without holes, and without
    /// rewriting what an earlier run has left.
    ///
    /// - Parameters:
    ///   - sink: its descriptor stays open; nil to check the frames and write nothing.
    ///   - hasBlocks: whether whole blocks bypass the page cache.
    ///   - replacesOthers: whether to replace bytes left by an earlier run where they differ.
    package convenience init(
        _ sink: Sink?, order: FrameOrder, hasBlocks: Bool = false, replacesOthers: Bool = false, latch: FailureLatch,
        monitor: Monitor?
    ) {
        let leavesHoles = !hasBlocks && sink?.takesHoles == true
        let kept = sink?.kept(replacesOthers: replacesOthers)
        let queue = OutputQueue(sink?.open(hasBlocks: hasBlocks), monitor: monitor)
        self.init(order, to: queue, leavesHoles: leavesHoles, latch: latch, monitor: monitor)
        if hasBlocks { surround { BlockSink($0) { [weak self] in self?.advanceLater() } } }
        if leavesHoles { surround(HoleSink.init) }
        if let kept { surround { ResumingSink($0, kept) } }
    }
}
