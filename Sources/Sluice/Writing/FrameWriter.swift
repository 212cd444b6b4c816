internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import ZstdCodec

/// Puts frames in order and writes them to a descriptor, through a stream channel of Dispatch.
final class FrameWriter: Sendable {
    private struct Entry {
        let outcome: Result<Frame, Failure>
        /// What of the frame is left out of the output.
        let holes: [Range<Int>]
        let accepted: UInt64
    }

    private struct State: ~Copyable {
        var reorder = ReorderBuffer<Entry>()
        var envelope: Envelope?
        /// Where frames are gathered that go past the page cache; nil if they don't.
        var blocks: BlockBuffer?
        /// Blocks that are written, or whose memory is not free yet.
        var underWay = 0
        /// What is to run when the memory of frames is free that were copied.
        var copied: [@Sendable () -> Void] = []
        var requests: WriteRequests
        /// Bytes that are left out before what comes next.
        var hole: UInt64 = 0
        var holdBack: HoldBack
        var written: UInt64 = 0
        /// Bytes of the frames that came in order, and of what they were made from.
        var sizes = (frames: UInt64(0), sources: UInt64(0))
        var lastWritten: UInt64 = 0
        /// A failure whose turn has come, while frames before it are still being written.
        var pending: Failure?
    }

    /// The most that is written to a file at once, in bytes (docs/decisions/writes.md).
    private static let fileWriteSize = 512 << 10
    /// One is written, and one waits, so that the disk need not.
    private static let blocksUnderWay = 2

    private let sink: Sink?
    private let channel: DispatchIO?
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
    ///   - mayBypassCache: whether the sink's wish for that is followed.
    init(
        _ sink: Sink?, envelope: Envelope?, holdBack: HoldBack = HoldBack(until: 0), mayBypassCache: Bool,
        latch: FailureLatch, monitor: Monitor?
    ) {
        self.sink = sink
        self.latch = latch
        self.monitor = monitor
        let hasBlocks = mayBypassCache && sink?.takesBlocks == true
        self.hasBlocks = hasBlocks
        leavesHoles = !hasBlocks && sink?.takesHoles == true
        state = Mutex(
            State(
                envelope: envelope, blocks: hasBlocks ? BlockBuffer() : nil,
                requests: WriteRequests(areThrownAway: sink?.isTemporary == true), holdBack: holdBack))
        writeback = sink.flatMap { $0.caching == .cached || hasBlocks ? nil : Writeback($0.descriptor) }
        channel = sink.map { [queue, closed] sink in
            closed.enter()
            return DispatchIO(type: .stream, fileDescriptor: sink.descriptor.rawValue, queue: queue) { _ in
                closed.leave()
            }
        }
        if let sink, sink.isFile {
            // It brings low water down too: the handler is called for each piece.
            channel?.setLimit(highWater: hasBlocks ? BlockBuffer.blockSize : Self.fileWriteSize)
            // Where it is refused, blocks go through the cache.
            if hasBlocks { channel?.bypassCache(sink.descriptor, true) { _ in } }
        } else if let sink {
            // One call of the handler for each frame, when it is written.
            channel?.setLimit(lowWater: .max)
            sink.descriptor.widenPipe()
            channel?.writeBlocking(sink.descriptor)
        }
        // The writer holds the latch, which must not hold the writer.
        latch.onFailure { [weak self] in self?.channel?.close(flags: .stop) }
    }

    /// Bytes that were written.
    var written: UInt64 { state.withLock { $0.written } }
    /// Bytes of the frames that came in order, and of what they were made from.
    var sizes: (frames: UInt64, sources: UInt64) { state.withLock { $0.sizes } }

    /// Bytes that blocks take at most: those under way, and one that is filled meanwhile.
    var blockMemory: Int { hasBlocks ? (Self.blocksUnderWay + 1) * BlockBuffer.blockSize : 0 }

    /// Bytes that the seek table took.
    var tableMemory: Int { state.withLock { $0.envelope?.memory ?? 0 } }

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
        let copied = state.withLock { state in
            change(&state)
            writeReady(&state)
            writeBlocks(&state)
            writeRequests(&state)
            defer { state.copied = [] }
            return state.copied
        }
        copied.forEach(OutputBuffer.afterReleases)
        endIfFailed()
    }

    private func writeReady(_ state: inout State) {
        while state.pending == nil, !state.holdBack.isHolding, let entry = state.reorder.popReady() {
            switch entry.outcome {
            case .success(let frame):
                state.pending = write(frame, without: entry.holes, acceptedAt: entry.accepted, &state)
            case .failure(let failure): state.pending = failure
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
        precondition(next == count, "a frame is missing, and nobody said why")
        let trailer = state.withLock { $0.envelope?.trailer } ?? []
        advance { if !trailer.isEmpty { send(Bytes(trailer), &$0) } }
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
        let now = Span.now()
        monitor?.record(
            Span(stage: .order, bytes: frame.bytes.count, source: frame.sourceSize, start: accepted, end: now))
        state.sizes.frames += UInt64(frame.bytes.count)
        state.sizes.sources += UInt64(frame.sourceSize)
        var bytes = frame.bytes
        if let header = state.envelope?.append(frame), !header.isEmpty {
            var headed = Bytes(header)
            headed.append(bytes)
            bytes = headed
        }
        let (slots, slotCount) = (frame.slots, frame.slotCount)
        send(bytes, without: holes, isPiece: frame.isPiece, &state) { slots.give(slotCount) }
        return nil
    }

    /// Asks for writes of what lies between holes. All of it is one piece of memory, which is free with the last write.
    private func send(
        _ bytes: Bytes, without holes: [Range<Int>], isPiece: Bool, _ state: inout State,
        whenFree: @escaping @Sendable () -> Void
    ) {
        if holes.isEmpty { return send(bytes, isPiece: isPiece, &state, whenFree: whenFree) }
        let starts: [Int] = [0] + holes.map(\.upperBound)
        let ends: [Int] = holes.map(\.lowerBound) + [bytes.count]
        let parts = zip(starts, ends).map { start, end in bytes.slice(start..<end) }
        let last = parts.lastIndex { !$0.isEmpty }
        for (index, part) in parts.enumerated() {
            if index > 0 { state.hole += UInt64(holes[index - 1].count) }
            let isLast = index == last
            if !part.isEmpty { send(part, isPiece: isPiece, &state) { if isLast { whenFree() } } }
        }
        guard last == nil else { return }
        // Nothing is written; the memory goes when the state is let go of.
        writes.enter()
        state.copied.append { [writes] in
            whenFree()
            writes.leave()
        }
    }

    /// Asks for writes; called with the state locked, so that the order of the requests is the order of the frames.
    ///
    /// - Parameter whenFree: runs when the bytes are written, or copied into a block, and their memory is free.
    private func send(
        _ bytes: Bytes, isPiece: Bool = false, _ state: inout State, whenFree: @escaping @Sendable () -> Void = {}
    ) {
        if state.blocks == nil || bytes.isEmpty { return request(bytes, isPiece: isPiece, &state, whenFree: whenFree) }
        writes.enter()
        state.blocks?.append(bytes) { [writes] in
            whenFree()
            writes.leave()
        }
    }

    /// Asks for writes of the blocks that are full, as long as few are under way: what does not fit into the next one
    /// keeps its slots.
    private func writeBlocks(_ state: inout State) {
        while state.blocks != nil {
            do throws(Failure) { state.copied += try state.blocks?.fill() ?? [] } catch {
                state.pending = error
                state.copied += state.blocks?.drop() ?? []
                return
            }
            guard state.blocks?.isFull == true, state.underWay < Self.blocksUnderWay else { return }
            state.underWay += 1
            request(state.blocks?.take() ?? Bytes(), isPiece: false, &state) { [self] in
                // Only now: the next block takes the memory of this one.
                advance { $0.underWay -= 1 }
            }
        }
    }

    private func request(
        _ bytes: Bytes, isPiece: Bool, _ state: inout State, whenFree: @escaping @Sendable () -> Void = {}
    ) {
        writes.enter()
        let release = { @Sendable [writes] in
            OutputBuffer.afterReleases {
                whenFree()
                writes.leave()
            }
        }
        if channel == nil || bytes.isEmpty || state.requests.hasFailed { return release() }
        state.requests.append(
            WriteRequests.Request(bytes: bytes, hole: state.hole, isPiece: isPiece, release: release))
        state.hole = 0
    }

    /// Asks Dispatch for writes.
    private func writeRequests(_ state: inout State) {
        while let channel, let request = state.requests.next() {
            // The handler must not keep the memory.
            let (isPiece, made, release) = (request.isPiece, request.made, request.release)
            let count = request.bytes.count + Int(request.hole)
            if request.hole > 0, let sink {
                channel.skip(request.hole, of: sink.descriptor) { [latch] in latch.fail($0) }
            }
            channel.write(offset: 0, data: request.bytes.data, queue: queue) { @Sendable [self] isDone, _, error in
                guard isDone else { return }
                didWrite(count, since: made, isPiece: isPiece, error: error)
                release()
            }
        }
    }

    /// Ends the file behind a hole that nothing follows.
    private func endHole() throws(Failure) {
        let hole = state.withLock { state in
            defer { state.hole = 0 }
            return state.hole
        }
        guard hole > 0, let sink else { return }
        let start = Span.now()
        try sink.extend(by: hole)
        state.withLock { $0.written += hole }
        monitor?.record(Span(stage: .write, bytes: Int(hole), start: start, end: Span.now()))
    }

    /// Writes what fills no block; through the page cache, for past it go whole pages only.
    private func writeRest() {
        let rest = state.withLock { $0.blocks?.take() } ?? Bytes()
        guard let sink, !rest.isEmpty else { return }
        channel?.bypassCache(sink.descriptor, false) { [latch] error in latch.fail(.writing(error)) }
        advance { request(rest, isPiece: false, &$0) }
    }

    /// Called by Dispatch, for one write after another.
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
            state.requests.didEnd()
            state.written += UInt64(count)
            // In the middle of a frame the pieces that are held back could not fill anything: their slots are few.
            if state.requests.isEmpty, state.reorder.count == 0, !isPiece { state.holdBack.outputDidRunDry() }
        }
    }

    /// What was not asked for yet is never written.
    private func didFail(_ error: Errno) {
        latch.fail(.writing(error))
        let dropped = state.withLock { state in
            state.holdBack.end()
            return state.requests.didFail()
        }
        for request in dropped { request.release() }
    }

    private func endIfFailed() {
        let failure = state.withLock { $0.requests.isEmpty ? $0.pending : nil }
        if let failure { latch.fail(failure) }
    }
}
