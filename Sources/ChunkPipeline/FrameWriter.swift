package import ByteStreams
internal import Dispatch
internal import Synchronization

/// The output of a run: workers hand it frames in any order, and a thread of its own, the writer, writes them in
/// theirs.
///
/// If nothing is written, and nobody looks at what is made, there is no writer: a frame has arrived when its turn has
/// come, on the thread that finds that out.
package final class FrameWriter: Sendable {
    private struct Setup {
        var filters: [any ContentFilter] = []
        var observers: [any OutputObserver] = []
        var hasStarted = false
        var stream: (any ByteSink)?
    }

    /// Where frames wait for their turn, and for the writer.
    package let order: OrderQueue
    private let sink: Sink?
    private let envelope: (any Envelope)?
    private let hasBlocks: Bool
    /// Whether zeros become holes. They are searched for where a frame is made, or by the writer behind a filter.
    private let leavesHoles: Bool
    private let kept: ResumeComparison?
    private let latch: FailureLatch
    private let monitor: Monitor?

    /// What has arrived at the output.
    package let count = WriteCount()
    private let setup = Mutex(Setup())
    private let hasWriter = Atomic(false)
    private let writing = DispatchGroup()
    /// Frames whose memory is not free yet.
    private let outstanding = DispatchGroup()

    /// - Parameters:
    ///   - sink: its descriptor stays open; nil to check the frames and write nothing.
    ///   - envelope: what the output has around its frames; nil for nothing.
    ///   - hasBlocks: whether whole blocks bypass the page cache.
    ///   - replacesOthers: whether to replace bytes left by an earlier run where they differ.
    package init(
        _ sink: Sink?, order: FrameOrder = FrameOrder(), envelope: (any Envelope)? = nil, hasBlocks: Bool = false,
        replacesOthers: Bool = false, latch: FailureLatch, monitor: Monitor?
    ) {
        // Nothing is held back from nobody.
        self.order = OrderQueue(sink == nil ? FrameOrder() : order)
        (self.sink, self.envelope, self.hasBlocks) = (sink, envelope, hasBlocks)
        leavesHoles = !hasBlocks && sink?.takesHoles == true
        kept = sink?.kept(replacesOthers: replacesOthers)
        (self.latch, self.monitor) = (latch, monitor)
        count.onChange { change in
            if let (bytes, start, end) = change.ended {
                monitor?.record(StageSpan(stage: .write, bytes: bytes, start: start, end: end))
            }
            monitor?.didDeliver(change.sizes, isWriting: change.isWriting)
        }
        latch.onFailure { [order = self.order] in order.change { $0.fail(.cancelled) } }
    }

    /// Whether somebody takes the output, and may keep it for any time.
    var isTaken: Bool { sink?.isTaken == true }

    /// Adds a filter before the existing ones, which from now on only see what it passes, before the writer starts.
    package func pass(through filter: any ContentFilter) {
        setup.withLock { $0.filters.insert(filter, at: 0) }
        if filter.isComplete { order.change { $0.isComplete = true } }
    }

    /// Shows the output to an observer, from before the writer starts.
    package func show(to observer: any OutputObserver) { setup.withLock { $0.observers.append(observer) } }

    /// Starts the writer, before any frame comes.
    ///
    /// - Throws: `outOfThreads`; the output is then untouched.
    package func start() throws(Failure) {
        let setup = setup.withLock { setup in
            defer { setup.hasStarted = true }
            return setup
        }
        let isIdle = sink == nil && envelope == nil && setup.filters.isEmpty && setup.observers.isEmpty
        if setup.hasStarted || isIdle { return }
        try startThread(in: writing) { [self] in
            write(filters: setup.filters, observers: setup.observers)
            monitor?.threadDidEnd()
        }
        hasWriter.store(true, ordering: .releasing)
    }

    /// Accepts a frame, or the failure in its place, from any thread and in any order.
    ///
    /// A failure ends the run when its turn has come and the frames before it are written, except for bytes in a block
    /// that is not full: the output is then a prefix of the right data. It is ignored if no more frames are needed.
    package func accept(_ outcome: consuming Result<ChunkResult, Failure>, at index: Int, isLast: Bool = true) {
        var outcome = Optional(outcome)
        if case .success(var frame)? = outcome {
            // Search on this thread, in parallel with others.
            if leavesHoles { frame.holes = frame.bytes.zeroRuns }
            frame.arrival = StageSpan.now()
            outcome = .success(frame)
        }
        // Moved, so that nothing here keeps the memory of a frame that the writer takes at once.
        order.change { if let outcome = outcome.take() { $0.insert(outcome, at: index, isLast: isLast) } }
        if !hasWriter.load(ordering: .acquiring) { skip() }
    }

    /// Lets nothing of the chunks after this one go out.
    func end(after index: Int) { order.change { $0.end(after: index) } }

    /// Reports that no more chunks will be read.
    package func inputDidEnd() { order.change { [latch] in $0.inputDidEnd(because: latch.failure) } }

    /// Waits until everything accepted is written, the stream is ended, and, if there is a writer, all memory is free.
    ///
    /// - Parameter count: the number of frames.
    /// - Throws: the first failure of the run.
    package func finish(_ count: Int) throws(Failure) {
        try start()
        order.change { $0.end() }
        writing.wait()
        outstanding.wait()
        do throws(Failure) { try latch.check() } catch {
            // Of what was dropped: another run may begin.
            OutputBuffer.waitForReleases()
            throw error
        }
        let (next, isComplete, lastIndex) = order.progress
        let wanted = lastIndex < count ? lastIndex + 1 : count
        // If no more frames were needed, a failure may have taken the place of one.
        precondition(next == wanted || isComplete && next > wanted, "a frame is missing without a failure")
    }

    /// Ends the writer if the run has not come to `finish`. Restores the descriptor's original flags, and waits for
    /// that.
    package func close() {
        order.change { $0.fail(.cancelled) }
        writing.wait()
        setup.withLock { $0.stream }?.finish()
    }

    /// Lets the frames go that are due, since there is no writer.
    private func skip() {
        do throws(Failure) {
            while let frame = try order.next() {
                monitor?.recordOrder(frame, size: frame.bytes.count)
                count.add(Delivery(source: frame.sourceSize, made: frame.bytes.count))
            }
        } catch {
            latch.fail(error)
        }
    }

    /// Writes until everything is written, or the run has failed, on the writer's thread.
    private func write(filters: [any ContentFilter], observers: [any OutputObserver]) {
        let stream = sink?.open(hasBlocks: hasBlocks)
        setup.withLock { $0.stream = stream }
        latch.onFailure { stream?.cancel() }
        let end = StreamSink(stream, count: count, monitor: monitor)
        var writer = Writer(order: order, end: end, outstanding: outstanding, latch: latch, monitor: monitor)
        if hasBlocks { writer.sink = BlockSink(writer.sink) }
        if leavesHoles { writer.sink = HoleSink(writer.sink) }
        if let kept { writer.sink = ResumingSink(writer.sink, kept) }
        (writer.filters, writer.observers, writer.envelope) = (filters, observers, envelope)
        writer.leavesHoles = leavesHoles
        do throws(Failure) { try writer.run() } catch {
            // Let go of what waits, because a worker may wait for its memory. What precedes the failure is written
            // first.
            order.change { $0.fail(error) }
            let outcome = Result { () throws(Failure) in try end.flush() }
            if case .failure(let failure) = outcome { latch.fail(failure) }
            latch.fail(error)
        }
    }
}
