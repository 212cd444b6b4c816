internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import ZstdCodec

/// Puts frames in order and writes them to a descriptor, through a stream channel of Dispatch; or hands them to a
/// `Drain`.
final class FrameWriter: Sendable {
    private struct Entry {
        let outcome: Result<Frame, Failure>
        /// What of the frame is left out of the output.
        let holes: [Range<Int>]
        let accepted: UInt64
    }

    private struct State: ~Copyable {
        var reorder = ReorderBuffer<Entry>()
        var envelope: (any Envelope)?
        var outgoing: Outgoing
        var holdBack: HoldBack
        /// What is there already, as long as it is the same as what comes.
        var kept: KeptContent?
        /// What of the frames is written, if not all, and what is to run when that is over.
        var excerpt: Excerpt?
        var whenComplete: (@Sendable () -> Void)?
        /// What takes the frames instead of the output.
        var comparison: ContentComparison?
        var written: UInt64 = 0
        var deliveries = Deliveries()
        /// Bytes of the frames that came in order, and of what they were made from.
        var sizes = (frames: UInt64(0), sources: UInt64(0))
        var lastWritten: UInt64 = 0
        /// Is told whether something is being written, whenever that may have changed.
        var onWriting: (@Sendable (Bool) -> Void)?
        /// A failure whose turn has come, while frames before it are still being written.
        var pending: Failure?
    }

    /// A write that was asked for: its bytes with the hole before them, when it was, and what runs at its end.
    private struct Write: Sendable {
        let count: Int
        let made: UInt64
        let isPiece: Bool
        let whenFree: @Sendable () -> Void
    }

    /// The most that is written to a file at once, in bytes (docs/decisions/writes.md).
    private static let fileWriteSize = 512 << 10

    private let sink: Sink?
    /// Takes what the frames are, if they are content that somebody wants.
    private let content: ContentHash?
    private let channel: DispatchIO?
    /// Where writes wait when a disk is full; nil if they fail then.
    private let fullDisk: FullDisk?
    private let writeback: Writeback?
    private let queue = DispatchQueue(label: "sluice.writer")
    private let state: Mutex<State>
    /// Whether what is written goes past the page cache, in blocks.
    private let hasBlocks: Bool
    private let leavesHoles: Bool
    private let latch: FailureLatch
    private let monitor: Monitor?
    private let writes = DispatchGroup()
    private let closed = DispatchGroup()

    /// - Parameters:
    ///   - sink: its descriptor stays open; nil to check the frames and write nothing.
    ///   - holdBack: when nothing is written; it has to be told of the slots.
    ///   - envelope: what a stream of several frames has besides them.
    ///   - fullDisk: where writes to a file wait when its disk is full; nil if they fail then.
    ///   - replacesKept: whether what an earlier run has left there, and is not the same, is replaced.
    ///   - mayBypassCache: whether the sink's wish for that is followed.
    init(
        _ sink: Sink?, content: ContentHash? = nil, envelope: (any Envelope)?, holdBack: HoldBack = HoldBack(until: 0),
        fullDisk: FullDisk? = nil, replacesKept: Bool = false, mayBypassCache: Bool,
        latch: FailureLatch, monitor: Monitor?
    ) {
        self.sink = sink
        self.content = content
        self.latch = latch
        self.monitor = monitor
        self.fullDisk = sink?.isFile == true ? fullDisk : nil
        let hasBlocks = mayBypassCache && sink?.takesBlocks == true
        self.hasBlocks = hasBlocks
        leavesHoles = !hasBlocks && sink?.takesHoles == true
        state = Mutex(
            State(
                envelope: envelope, outgoing: Outgoing(to: sink, hasBlocks: hasBlocks, mayWait: fullDisk != nil),
                holdBack: holdBack,
                kept: sink.flatMap { $0.kept(replacesOthers: replacesKept) }))
        writeback = sink.flatMap { $0.caching == .cached || hasBlocks ? nil : Writeback($0.descriptor) }
        channel = sink.flatMap { [queue, closed] sink in
            if sink.drain != nil { return nil }
            closed.enter()
            return DispatchIO(type: .stream, fileDescriptor: sink.descriptor.rawValue, queue: queue) { _ in
                closed.leave()
            }
        }
        if let sink, let channel, sink.isFile {
            // It brings low water down too: the handler is called for each piece.
            channel.setLimit(highWater: hasBlocks ? BlockBuffer.blockSize : Self.fileWriteSize)
            // Where it is refused, blocks go through the cache.
            if hasBlocks { channel.bypassCache(sink.descriptor, true) { _ in } }
        } else if let sink, let channel {
            // One call of the handler for each frame, when it is written.
            channel.setLimit(lowWater: .max)
            sink.descriptor.widenPipe()
            channel.writeBlocking(sink.descriptor)
        }
        // The writer holds the latch, which must not hold the writer.
        latch.onFailure { [weak self] in
            self?.channel?.close(flags: .stop)
            self?.sink?.drain?.cancel()
            self?.fullDisk?.retry()
        }
    }

    /// What is written, if an earlier run has left something there.
    var resumedSink: Sink? { sink?.resumption == nil ? nil : sink }

    /// Bytes that were written.
    var written: UInt64 { state.withLock { $0.written } }
    /// Bytes of the frames that came in order, and of what they were made from.
    var sizes: (frames: UInt64, sources: UInt64) { state.withLock { $0.sizes } }

    /// Bytes that blocks take at most.
    var blockMemory: Int { hasBlocks ? Outgoing.blockMemory : 0 }

    /// Bytes that the seek table took.
    var tableMemory: Int { state.withLock { $0.envelope?.memory ?? 0 } }

    /// Tells from now on whether something is being written, whenever that may have changed. What is called must not
    /// wait.
    func onWriting(_ tell: @escaping @Sendable (_ isWriting: Bool) -> Void) {
        state.withLock { $0.onWriting = tell }
    }

    /// Takes a frame, or the failure that came in its place, from any thread and in any order.
    ///
    /// A failure ends the run when its turn has come and the frames before it are written: the output is a prefix of
    /// the right data, as long as it can be.
    func accept(_ outcome: consuming Result<Frame, Failure>, at index: Int, isLast: Bool = true) {
        // On the thread of its worker, beside those of the others.
        let holes = leavesHoles ? (try? (copy outcome).get())?.bytes.holes ?? [] : []
        // Moved on, so that nothing here keeps the memory of a frame whose slot goes back.
        var arriving: Entry? = Entry(outcome: consume outcome, holes: holes, accepted: Span.now())
        advance { state in
            guard let entry = arriving.take() else { return }
            if case .failure = entry.outcome { state.holdBack.end() }
            state.reorder.insert(entry, at: index, isLast: isLast)
        }
    }

    /// Writes an excerpt of what the frames hold only; what comes behind its end is dropped, failures too.
    ///
    /// - Parameter whenComplete: runs once, when no further frame is needed.
    func keep(only excerpt: Excerpt, whenComplete: @escaping @Sendable () -> Void) {
        state.withLock { ($0.excerpt, $0.whenComplete) = (excerpt, whenComplete) }
        endIfDone()
    }

    /// Compares what the frames hold, in place of writing it.
    func compare(_ comparison: ContentComparison) {
        state.withLock { $0.comparison = comparison }
    }

    /// Bytes of the content up to the end of what came, for an excerpt.
    var excerptPosition: UInt64 { state.withLock { $0.excerpt?.position ?? 0 } }

    /// Whether all of an excerpt came.
    var isComplete: Bool { state.withLock { $0.excerpt?.isComplete == true } }

    /// So many slots more, or less, are in use: what is held back for them may be written.
    func slotsDidChange(by change: Int) {
        advance { $0.holdBack.slotsDidChange(by: change) }
    }

    /// No more frames will come than are on their way.
    func inputDidEnd() {
        advance { $0.holdBack.end() }
    }

    /// Changes the state, and writes what is ready then.
    private func advance(_ change: (inout State) -> Void = { _ in }) {
        let done = state.withLock { state in
            change(&state)
            writeReady(&state)
            do throws(Failure) { try state.outgoing.requestBlocks(beginBlock) } catch { state.pending = error }
            writeRequests(&state)
            state.onWriting?(!state.outgoing.isEmpty)
            tell(&state)
            return state.outgoing.takeDone()
        }
        done.forEach(OutputBuffer.afterReleases)
        endIfDone()
    }

    /// Tells what has arrived, and whether the run waits for more to arrive.
    private func tell(_ state: inout State) {
        guard let monitor else { return }
        let isWriting = !state.outgoing.isEmpty
        monitor.didDeliver(state.deliveries.take(written: state.written, isIdle: !isWriting), isWriting: isWriting)
    }

    /// A block goes out: what is to run when its memory is free.
    private func beginBlock() -> @Sendable () -> Void {
        begin { [self] in advance { $0.outgoing.blockIsFree() } }
    }

    /// Something goes out, for which `finish` waits: what is to run when its memory is free.
    private func begin(_ whenFree: @escaping @Sendable () -> Void = {}) -> @Sendable () -> Void {
        writes.enter()
        return { [writes] in
            whenFree()
            writes.leave()
        }
    }

    private func writeReady(_ state: inout State) {
        while state.pending == nil, !state.holdBack.isHolding, let entry = state.reorder.popReady() {
            switch entry.outcome {
            case .success(let frame):
                state.pending = write(frame, without: entry.holes, acceptedAt: entry.accepted, &state)
            case .failure(let failure): if state.excerpt?.isComplete != true { state.pending = failure }
            }
        }
    }

    /// Waits until everything accepted is written, then ends the stream.
    ///
    /// - Parameter count: how many frames there were to come.
    /// - Throws: the first failure of the run.
    func finish(_ count: Int) throws(Failure) {
        writes.wait()
        try latch.check()
        let next = state.withLock { $0.reorder.next }
        // Behind the end of an excerpt a failure may have come in place of a frame.
        precondition(next == count || isComplete && next > count, "a frame is missing, and nobody said why")
        let trailer = try state.withLock { state throws(Failure) in try state.envelope?.trailer() } ?? []
        advance { state in
            if !trailer.isEmpty { state.pending = append(Bytes(trailer), whenFree: begin(), &state) }
            // What is there beyond the end is none of it.
            if state.kept?.isOver == false { state.pending = state.pending ?? end(&state.kept) }
        }
        writes.wait()
        try latch.check()
        writeRest()
        writes.wait()
        try latch.check()
        try endHole()
    }

    /// Closes the channel, which gives the descriptor back with the flags it had, and waits for that.
    func close() {
        channel?.close()
        closed.wait()
        writeback?.finish()
    }

    /// - Returns: a failure, if the stream has no room for another frame.
    private func write(
        _ frame: Frame, without holes: [Range<Int>], acceptedAt accepted: UInt64, _ state: inout State
    ) -> Failure? {
        if let envelope = state.envelope, envelope.isFull { return .codec(.tooManyFrames) }
        var (bytes, holes) = (frame.bytes, holes)
        if let pieces = state.excerpt?.take(UInt64(bytes.count), isLast: !frame.isPiece), pieces != [0..<bytes.count] {
            (bytes, holes) = (bytes.slices(pieces), [])
        }
        let now = Span.now()
        monitor?.record(Span(stage: .order, bytes: bytes.count, source: frame.sourceSize, start: accepted, end: now))
        let sizes = Delivery(source: frame.sourceSize, made: bytes.count)
        state.sizes.frames += UInt64(bytes.count)
        state.sizes.sources += UInt64(frame.sourceSize)
        if let header = state.envelope?.append(frame), !header.isEmpty {
            var headed = Bytes(header)
            headed.append(bytes)
            bytes = headed
        }
        if monitor != nil { state.deliveries.append(sizes, count: state.comparison == nil ? bytes.count : 0) }
        let (slots, slotCount) = (frame.slots, frame.slotCount)
        // The memory is free when it is written, and what wants the content has had it.
        content?.append(bytes)
        let whenFree = begin { [content] in
            guard let content else { return slots.give(slotCount) }
            content.afterAll { slots.give(slotCount) }
        }
        if let comparison = state.comparison {
            comparison.take(bytes, whenFree: whenFree)
            return nil
        }
        return append(bytes, without: holes, isPiece: frame.isPiece, whenFree: whenFree, &state)
    }

    /// Hands on what is not there already.
    ///
    /// - Returns: a failure, if what is there can't be gone on with.
    private func append(
        _ bytes: Bytes, without holes: [Range<Int>] = [], isPiece: Bool = false,
        whenFree: @escaping @Sendable () -> Void, _ state: inout State
    ) -> Failure? {
        var (bytes, holes, failure) = (bytes, holes, Failure?.none)
        if state.kept?.isOver == false {
            do throws(Failure) {
                let count = try state.kept?.match(bytes) ?? 0
                _ = bytes.removeFirst(count)
                state.outgoing.pass(UInt64(count))
                if count > 0 { holes = [] }
            } catch {
                (bytes, holes, failure) = (Bytes(), [], error)
            }
        }
        state.outgoing.append(bytes, without: holes, isPiece: isPiece, whenFree: whenFree)
        return failure
    }

    private func end(_ kept: inout KeptContent?) -> Failure? {
        do throws(Failure) { try kept?.end() } catch { return error }
        return nil
    }

    /// Asks Dispatch for writes, or the drain.
    private func writeRequests(_ state: inout State) {
        while let sink, let request = state.outgoing.next() {
            let write = Write(
                count: request.bytes.count + Int(request.hole), made: request.made, isPiece: request.isPiece,
                whenFree: request.whenFree)
            guard let channel else {
                sink.drain?.put(request.bytes) { [self] error in
                    queue.async { [self] in didEnd(write, error ?? Errno(rawValue: 0)) }
                }
                continue
            }
            if request.hole > 0 {
                channel.skip(request.hole, of: sink.descriptor) { [latch] in latch.fail($0) }
            }
            ask(channel, for: write, request.bytes)
        }
    }

    /// - Parameter bytes: all of them, or those that have found no room yet. The handler must not keep the memory.
    private func ask(_ channel: DispatchIO, for write: Write, _ bytes: Bytes) {
        channel.write(offset: 0, data: bytes.data, queue: queue) { @Sendable [self] isDone, rest, error in
            guard isDone else { return }
            let error = Errno(rawValue: error)
            if let fullDisk, let rest, FullDisk.mayPass(error), latch.failure == nil {
                return wait(for: fullDisk, error, write, Bytes(rest))
            }
            didEnd(write, error)
        }
    }

    private func didEnd(_ write: Write, _ error: Errno) {
        didWrite(write.count, since: write.made, isPiece: write.isPiece, error: error.rawValue)
        OutputBuffer.afterReleases(write.whenFree)
    }

    /// Nothing else is under way meanwhile: the file stands where this one stopped.
    private func wait(for fullDisk: FullDisk, _ error: Errno, _ write: Write, _ rest: Bytes) {
        fullDisk.wait(error) { [self] in
            queue.async { [self] in
                if let channel, latch.failure == nil { return ask(channel, for: write, rest) }
                didFail(error)
                OutputBuffer.afterReleases(write.whenFree)
            }
        }
    }

    /// Ends the file behind a hole that nothing follows.
    private func endHole() throws(Failure) {
        let hole = state.withLock { $0.outgoing.takeHole() }
        guard hole > 0, let sink else { return }
        let start = Span.now()
        try sink.extend(by: hole)
        state.withLock { $0.written += hole }
        monitor?.record(Span(stage: .write, bytes: Int(hole), start: start, end: Span.now()))
    }

    /// Writes what fills no block; through the page cache, for past it go whole pages only.
    private func writeRest() {
        guard let sink, state.withLock({ $0.outgoing.hasRest }) else { return }
        channel?.bypassCache(sink.descriptor, false) { [latch] error in latch.fail(.writing(error)) }
        advance { $0.outgoing.requestRest(whenFree: begin()) }
    }

    /// Called on the queue, for one write after another.
    private func didWrite(_ count: Int, since start: UInt64, isPiece: Bool, error: Int32) {
        dispatchPrecondition(condition: .onQueue(queue))
        if error != 0 { return didFail(Errno(rawValue: error)) }
        writeback?.didWrite(count)
        // Writes are done one after another: each begins when the one before it has ended.
        let now = Span.now()
        let begun = state.withLock { state in
            defer { state.lastWritten = now }
            return max(start, state.lastWritten)
        }
        monitor?.record(Span(stage: .write, bytes: count, start: begun, end: now))
        advance { state in
            state.outgoing.didEnd()
            state.written += UInt64(count)
            // In the middle of a frame the pieces that are held back could not fill anything: their slots are few.
            if state.outgoing.isEmpty, state.reorder.count == 0, !isPiece { state.holdBack.outputDidRunDry() }
        }
    }

    /// What was not asked for yet is never written.
    private func didFail(_ error: Errno) {
        latch.fail(.writing(error))
        let done = state.withLock { state in
            state.holdBack.end()
            state.outgoing.didFail()
            state.deliveries.didFail()
            tell(&state)
            return state.outgoing.takeDone()
        }
        done.forEach(OutputBuffer.afterReleases)
    }

    /// Ends the run if it has failed, and what would go on after an excerpt.
    private func endIfDone() {
        let (failure, whenComplete) = state.withLock { state in
            (
                state.outgoing.isEmpty ? state.pending : nil,
                state.excerpt?.isComplete == true ? state.whenComplete.take() : nil
            )
        }
        if let failure { latch.fail(failure) }
        whenComplete?()
    }
}
