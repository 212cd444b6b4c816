internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Writes a descriptor through a stream channel of Dispatch. The descriptor stays open.
///
/// For a file, high water splits writes into requests of one size, and the handler is called for each. For a pipe, low
/// water is as high as possible, so that the handler is called once per write, at its end.
final class DispatchSink: ByteSink {
    /// The largest request to a file, in bytes (docs/decisions/writes.md).
    private static let fileWriteSize = 512 << 10

    private let sink: Sink
    private let descriptor: FileDescriptor
    private let channel: DispatchIO
    private let queue = DispatchQueue(label: "sluice.writer")
    private let closed = DispatchGroup()
    /// Where writes to a file wait when the disk is full; nil to fail instead.
    private let fullDisk: FullDisk?
    private let writeback: Writeback?
    /// Whether writes bypass the page cache at present.
    private let bypassesCache: Atomic<Bool>
    private let isCancelled = Atomic(false)
    /// Why nothing more is written.
    private let failure = Mutex<Errno?>(nil)
    /// The file's initial position; nil if it has no position.
    private let start: UInt64?
    /// How many writes may be in the channel at once, and how many more may now.
    ///
    /// After a failed write, Dispatch continues with the others. So an output that is kept gets one write at a time,
    /// and so does one whose writes may be retried: nothing may follow a write that is retried.
    private let mostWrites: Int
    private let room = DispatchSemaphore(value: 0)

    /// - Parameter hasBlocks: whether whole aligned blocks bypass the page cache.
    init(_ sink: Sink, _ descriptor: FileDescriptor, hasBlocks: Bool) {
        (self.sink, self.descriptor) = (sink, descriptor)
        fullDisk = sink.isFile ? sink.fullDisk : nil
        start = sink.position
        bypassesCache = Atomic(hasBlocks)
        writeback = !sink.isSynced || hasBlocks ? nil : Writeback(descriptor)
        mostWrites = sink.isTemporary && sink.fullDisk == nil ? 2 : 1
        for _ in 0..<mostWrites { room.signal() }
        closed.enter()
        channel = DispatchIO(type: .stream, fileDescriptor: descriptor.rawValue, queue: queue) { [closed] _ in
            closed.leave()
        }
        if sink.isFile {
            // This lowers low water too, so the handler is called for each request.
            channel.setLimit(highWater: hasBlocks ? Sink.blockSize : Self.fileWriteSize)
            // If the kernel refuses, blocks go through the cache.
            if hasBlocks { channel.bypassCache(true, of: descriptor) { _ in } }
        } else {
            channel.setLimit(lowWater: .max)
            descriptor.widenPipe()
            channel.writeBlocking(descriptor)
        }
    }

    /// Waits until there is room in the channel, and returns before the piece is written.
    package func write(_ piece: consuming Piece) throws(Failure) {
        try waitForRoom()
        // Only whole pages can bypass the cache; the rest of a file goes through it.
        let isRest = piece.bytes.count % Sink.blockAlignment != 0
        if isRest, bypassesCache.exchange(false, ordering: .relaxed) {
            channel.bypassCache(false, of: descriptor, orElse: stop)
        }
        if piece.gapBefore > 0 { channel.skip(piece.gapBefore, of: descriptor, orElse: stop) }
        let (write, lease) = (piece.write, piece.lease)
        request(piece.bytes) { [self] error in
            if let error {
                stop(error)
            } else {
                writeback?.didWrite(write?.bytes ?? 0)
                write?.end()
            }
            withExtendedLifetime(lease) {}
            room.signal()
        }
    }

    package func flush() throws(Failure) {
        for _ in 0..<mostWrites { try waitForRoom() }
        for _ in 0..<mostWrites { room.signal() }
    }

    /// Waits for the oldest write, unless there is room for another one.
    private func waitForRoom() throws(Failure) {
        room.wait()
        guard let error = failure.withLock({ $0 }) ?? (isCancelled.load(ordering: .acquiring) ? .canceled : nil) else {
            return
        }
        // Later calls fail, too.
        room.signal()
        throw .writing(error)
    }

    /// Ends all writing. After a failed write, Dispatch would go on with the next one.
    private func stop(_ error: Errno) {
        failure.withLock { $0 = $0 ?? error }
        channel.close(flags: .stop)
    }

    /// - Parameter whenDone: called on the queue, for one write after another, once the memory is released.
    private func request(_ bytes: consuming Bytes, whenDone: @escaping @Sendable (Errno?) -> Void) {
        channel.write(offset: 0, data: bytes.data, queue: queue) { @Sendable [self] isDone, rest, code in
            guard isDone else { return }
            let error = Errno(rawValue: code)
            if let fullDisk, let rest, FullDisk.mayPass(error), !isCancelled.load(ordering: .acquiring) {
                return writeRest(Bytes(rest), after: error, on: fullDisk, whenDone)
            }
            whenDone(code == 0 ? nil : error)
        }
    }

    /// Writes the rest when there is space again. No other write is in progress, so the file is positioned where this
    /// one stopped.
    private func writeRest(
        _ rest: Bytes, after error: Errno, on fullDisk: FullDisk, _ whenDone: @escaping @Sendable (Errno?) -> Void
    ) {
        fullDisk.retryLater(after: error) { [self] in
            queue.async { [self] in
                isCancelled.load(ordering: .acquiring) ? whenDone(error) : request(rest, whenDone: whenDone)
            }
        }
    }

    package func end(after hole: UInt64, of written: UInt64) throws(Failure) {
        // If the kernel accepts no byte of a write, Dispatch drops the rest of it and reports success, so compare
        // positions. The file's position may be further on, if standard error shares it.
        if let start, descriptor.position < off_t(start + written) {
            throw .writing(.ioError)
        }
        if hole > 0 { try sink.extend(by: hole) }
    }

    /// Also ends the wait for a write that is blocked in the kernel, whose handler may never be called.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        channel.close(flags: .stop)
        fullDisk?.retry()
        for _ in 0..<mostWrites { room.signal() }
    }

    package func finish() {
        channel.close()
        closed.wait()
        writeback?.finish()
    }
}

extension DispatchIO {
    /// Makes later writes bypass the page cache, or go through it again.
    ///
    /// It waits for earlier requests, because Dispatch sets the flags too, on its own thread, when it starts to use a
    /// descriptor (trap 15 in docs/dispatch-on-linux.md), and restores them at the end.
    func bypassCache(
        _ isBypassed: Bool, of descriptor: FileDescriptor, orElse report: @escaping @Sendable (Errno) -> Void
    ) {
        barrier {
            do throws(Errno) { try descriptor.setDirectWrites(isBypassed) } catch { report(error) }
        }
    }

    /// Leaves a hole in a file, after earlier requests.
    func skip(_ count: UInt64, of descriptor: FileDescriptor, orElse report: @escaping @Sendable (Errno) -> Void) {
        barrier {
            if lseek(descriptor.rawValue, off_t(count), SEEK_CUR) < 0 { report(Errno(rawValue: errno)) }
        }
    }

    /// Lets writes to a pipe, socket or terminal block in a thread of Dispatch.
    ///
    /// With O_NONBLOCK, a full pipe whose reader goes away reports only EPOLLERR, which libdispatch does not handle:
    /// the process would spin forever (trap 1 in docs/dispatch-on-linux.md).
    func writeBlocking(_ descriptor: FileDescriptor) {
        barrier { descriptor.setWaiting() }
    }
}
