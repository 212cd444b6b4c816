internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import ZstdCodec

/// Puts frames in order and writes them to a descriptor, through a stream channel of Dispatch.
final class FrameWriter: Sendable {
    private struct Entry {
        let outcome: Result<Frame, Failure>
        let accepted: UInt64
    }

    private struct State: ~Copyable {
        var reorder = ReorderBuffer<Entry>()
        var envelope: Envelope?
        /// Where frames are gathered that go past the page cache; nil if they don't.
        var blocks: BlockBuffer?
        var unwritten = 0
        /// Whether frames are held back until the buffer is full enough.
        var isFilling = false
        var written: UInt64 = 0
        /// Bytes of the frames that came in order, and of what they were made from.
        var sizes = (frames: UInt64(0), sources: UInt64(0))
        var lastWritten: UInt64 = 0
        /// A failure whose turn has come, while frames before it are still being written.
        var pending: Failure?
    }

    /// The most that is written to a file at once, in bytes (docs/decisions/writes.md).
    private static let fileWriteSize = 512 << 10

    private let sink: Sink?
    private let channel: DispatchIO?
    private let writeback: Writeback?
    private let queue = DispatchQueue(label: "sluice.writer")
    private let state: Mutex<State>
    private let fillsFirst: Bool
    private let isDirect: Bool
    private let inputHasEnded = Atomic(false)
    private let latch: FailureLatch
    private let monitor: Monitor?
    private let writes = DispatchGroup()
    private let closed = DispatchGroup()

    /// - Parameters:
    ///   - sink: its descriptor stays open; nil to check the frames and write nothing.
    ///   - fillsFirst: whether to write nothing until `open` is called, and again after each time it has run dry.
    ///   - envelope: what a stream of several frames has besides them.
    init(_ sink: Sink?, envelope: Envelope?, fillsFirst: Bool, latch: FailureLatch, monitor: Monitor?) {
        self.sink = sink
        self.fillsFirst = fillsFirst
        self.latch = latch
        self.monitor = monitor
        let isDirect = sink?.startWritingDirectly() ?? false
        self.isDirect = isDirect
        state = Mutex(State(envelope: envelope, blocks: isDirect ? BlockBuffer() : nil, isFilling: fillsFirst))
        writeback = sink.flatMap { $0.caching == .cached || isDirect ? nil : Writeback($0.descriptor) }
        channel = sink.map { [queue, closed] sink in
            closed.enter()
            return DispatchIO(type: .stream, fileDescriptor: sink.descriptor.rawValue, queue: queue) { _ in
                closed.leave()
            }
        }
        if let sink, sink.isFile {
            // It brings low water down too: the handler is called for each piece.
            channel?.setLimit(highWater: isDirect ? BlockBuffer.blockSize : Self.fileWriteSize)
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

    /// Bytes that each slot may hold as a block that is written, and two blocks beyond; 0 if there are none.
    var blockSize: Int { isDirect ? BlockBuffer.blockSize : 0 }

    /// Takes a frame, or the failure that came in its place, from any thread and in any order.
    ///
    /// A failure ends the run when its turn has come and the frames before it are written: the output is a prefix of
    /// the right data, as long as it can be.
    func accept(_ outcome: Result<Frame, Failure>, at index: Int, isLast: Bool = true) {
        state.withLock { state in
            state.reorder.insert(Entry(outcome: outcome, accepted: Span.now()), at: index, isLast: isLast)
            if case .failure = outcome { state.isFilling = false }
            writeReady(&state)
        }
        endIfFailed()
    }

    /// The buffer is full enough: what was held back is written.
    func open() {
        state.withLock { state in
            guard state.isFilling else { return }
            state.isFilling = false
            writeReady(&state)
        }
        endIfFailed()
    }

    /// The buffer will not get any fuller.
    func inputDidEnd() {
        inputHasEnded.store(true, ordering: .releasing)
        open()
    }

    private func writeReady(_ state: inout State) {
        while state.pending == nil, !state.isFilling, let entry = state.reorder.popReady() {
            switch entry.outcome {
            case .success(let frame):
                do throws(Failure) { try write(frame, acceptedAt: entry.accepted, &state) } catch {
                    state.pending = error
                }
            case .failure(let failure): state.pending = failure
            }
        }
    }

    /// Waits until everything accepted is written, then ends the stream.
    ///
    /// - Throws: the first failure of the run.
    func finish() throws(Failure) {
        writes.wait()
        do throws(Failure) {
            try latch.check()
            try writeTrailer()
            writes.wait()
            try latch.check()
            try writeRest()
            writes.wait()
        } catch {
            latch.fail(error)
        }
        try latch.check()
    }

    /// Closes the channel, which gives the descriptor back with the flags it had, and waits for that.
    func close() {
        channel?.close()
        closed.wait()
        // Dispatch has set the flags again that it found.
        if isDirect { try? sink?.stopWritingDirectly() }
        writeback?.finish()
    }

    /// - Throws: if the stream has no room for another frame, or there is no memory.
    private func write(_ frame: Frame, acceptedAt accepted: UInt64, _ state: inout State) throws(Failure) {
        if let envelope = state.envelope, envelope.isFull { throw .codec(.tooManyFrames) }
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
        try send(bytes, isPiece: frame.isPiece, &state) { slots.give(slotCount) }
    }

    /// Asks for writes; called with the state locked, so that the order of the requests is the order of the frames.
    ///
    /// - Parameter whenFree: runs when what was asked for is written, and the memory of the bytes is free.
    /// - Throws: `outOfMemory`.
    private func send(
        _ bytes: Bytes, isPiece: Bool = false, _ state: inout State, whenFree: @escaping @Sendable () -> Void = {}
    ) throws(Failure) {
        guard var blocks = try state.blocks?.append(bytes) else {
            return request(bytes, isPiece: isPiece, &state, whenFree: whenFree)
        }
        // Bytes that fill no block are free as soon as they are copied; for those that do, the last block answers. So
        // each block in flight has a slot.
        let last = blocks.popLast() ?? Bytes()
        for block in blocks { request(block, isPiece: isPiece, &state) }
        request(last, isPiece: isPiece, &state, whenFree: whenFree)
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
        guard let channel, !bytes.isEmpty else { return release() }
        let start = Span.now()
        // The handler must not keep the memory.
        let count = bytes.count
        state.unwritten += 1
        channel.write(offset: 0, data: bytes.data, queue: queue) { @Sendable [self] isDone, _, error in
            guard isDone else { return }
            didWrite(count, since: start, isPiece: isPiece, error: error)
            release()
        }
    }

    private func writeTrailer() throws(Failure) {
        try state.withLock { state throws(Failure) in
            if let trailer = state.envelope?.trailer, !trailer.isEmpty { try send(Bytes(trailer), &state) }
        }
    }

    /// Writes what fills no block; through the page cache, for past it go whole pages only.
    private func writeRest() throws(Failure) {
        let rest = state.withLock { $0.blocks?.takeRest() } ?? Bytes()
        guard !rest.isEmpty else { return }
        try sink?.stopWritingDirectly()
        state.withLock { request(rest, isPiece: false, &$0) }
    }

    private func didWrite(_ count: Int, since start: UInt64, isPiece: Bool, error: Int32) {
        if error != 0 {
            latch.fail(.writing(Errno(rawValue: error)))
        } else {
            writeback?.didWrite(count)
            // Writes are done one after another: each begins when the one before it has ended.
            let now = Span.now()
            let start = state.withLock { state in
                defer { state.lastWritten = now }
                return max(start, state.lastWritten)
            }
            monitor?.record(Span(stage: .write, bytes: count, start: start, end: now))
        }
        state.withLock { state in
            state.unwritten -= 1
            let hasRunDry = state.unwritten == 0 && state.reorder.count == 0
            // In the middle of a frame the pieces that are held back could not fill anything: their slots are few.
            if fillsFirst, hasRunDry, !isPiece, !inputHasEnded.load(ordering: .acquiring) { state.isFilling = true }
            if error == 0 { state.written += UInt64(count) }
        }
        endIfFailed()
    }

    private func endIfFailed() {
        let failure = state.withLock { $0.unwritten == 0 ? $0.pending : nil }
        if let failure { latch.fail(failure) }
    }
}

extension DispatchIO {
    /// Lets writes to a pipe, socket or terminal block in a thread of Dispatch's.
    ///
    /// With O_NONBLOCK, a full pipe whose reader goes away reports EPOLLERR only, for which libdispatch has no handler:
    /// the process would spin for ever (trap 1 in docs/dispatch-on-linux.md).
    fileprivate func writeBlocking(_ descriptor: FileDescriptor) {
        barrier {
            let flags = fcntl(descriptor.rawValue, F_GETFL)
            if flags >= 0 { _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK) }
        }
    }
}
