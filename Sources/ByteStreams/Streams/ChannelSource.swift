internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Reads a descriptor through a channel of Dispatch. The descriptor stays open.
///
/// A file of known size gets a random channel, which keeps its own position. Pipes, sockets, terminals, devices and
/// files without a size, such as those in /proc, get a stream channel. Only one request is made at a time: a random
/// channel serves several requests in turn, and completes them all at once.
final class ChannelSource: ByteSource {
    /// The largest read of every channel of the process, in bytes: 1 MiB at first, then the size of the largest request
    /// for a file so far, up to 64 MiB.
    private static let largestRead = Mutex(1 << 20)
    /// The largest request to anything but a file of known size, in bytes.
    private static let largestRequest = 1 << 20

    private let source: Source
    private let descriptor: FileDescriptor
    /// The bytes of a file that were read or skipped.
    private let position = Atomic<UInt64>(0)
    /// Whether reads are positioned, at `position`; otherwise they follow the position of the descriptor.
    private let isPositioned: Bool
    /// Nil for a file, because reading one never waits for data.
    private let readiness: Readiness?
    /// What came with the last bytes, for the next read: an error, or nil for the end of the data. It must not be asked
    /// for again: a tape would go on after it.
    private let ending = Mutex<Result<Bytes?, Failure>?>(nil)
    private let channel: DispatchIO
    private let queue = DispatchQueue(label: "sluice.reader")
    private let closed = DispatchGroup()

    /// - Throws: `reading` if a file can't be positioned, or no descriptors are left.
    init(_ source: Source) throws(Failure) {
        self.source = source
        descriptor = try source.requireDescriptor()
        // A random channel counts from the descriptor's position (trap 19 in docs/dispatch-on-linux.md).
        isPositioned = source.size != nil
        if isPositioned { try Failure.reading(descriptor.stand(at: source.start)) }
        readiness = source.isFile ? nil : try Readiness(of: descriptor)
        closed.enter()
        channel = DispatchIO(
            type: isPositioned ? .random : .stream, fileDescriptor: descriptor.rawValue, queue: queue
        ) { [closed] _ in closed.leave() }
        // One call of the handler per read: each call is a switch of threads.
        channel.setLimit(lowWater: .max)
        // The channel must take the position before a search for holes (`FileHoles`) moves the descriptor.
        if isPositioned, source.identity.hasHoles { awaitBeginning() }
    }

    /// Waits until the channel has read the descriptor's position.
    private func awaitBeginning() {
        let beginning = DispatchSemaphore(value: 0)
        channel.barrier { beginning.signal() }
        beginning.wait()
    }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        if let ending = ending.withLock({ $0 }) { return try ending.get() }
        if isPositioned { Self.raiseLargestRead(to: count) }
        var wanted = isPositioned ? count : min(count, Self.largestRequest)
        if let readiness {
            // Ask only for what is available already (trap 12 in docs/dispatch-on-linux.md).
            guard let ready = try readiness.wait(for: count, until: deadline) else { return Bytes() }
            wanted = min(wanted, ready)
        }
        let (bytes, failure) = try request(wanted)
        position.add(UInt64(bytes.count), ordering: .relaxed)
        if bytes.count < wanted { ending.withLock { $0 = failure.map { .failure($0) } ?? .success(nil) } }
        if let failure, bytes.isEmpty { throw failure }
        return bytes.isEmpty ? nil : bytes
    }

    /// Lets a chunk arrive in one read and one region, so that nothing has to be gathered
    /// (docs/decisions/reading.md).
    private static func raiseLargestRead(to count: Int) {
        largestRead.withLock { largest in
            guard count > largest, largest < 64 << 20 else { return }
            largest = min(count, 64 << 20)
            setLargestRead(largest)
        }
    }

    /// Reads, and waits until all bytes have arrived or the data ends.
    ///
    /// - Returns: fewer bytes at the end of the data, and before an error, which is `reading`.
    /// - Throws: `cancelled`.
    private func request(_ count: Int) throws(Failure) -> (bytes: Bytes, failure: Failure?) {
        let outcome = Mutex((bytes: Bytes(), error: Int32(0)))
        let arrival = DispatchSemaphore(value: 0)
        // A stream channel would use the offset only for the kernel's read-ahead.
        let offset = isPositioned ? off_t(clamping: position.load(ordering: .relaxed)) : 0
        channel.read(offset: offset, length: count, queue: queue) { @Sendable isDone, data, error in
            outcome.withLock { outcome in
                if let data { outcome.bytes.append(Bytes(data)) }
                outcome.error = error
            }
            if isDone { arrival.signal() }
        }
        arrival.wait()
        let (bytes, code) = outcome.withLock { $0 }
        let error = Errno(rawValue: code)
        if error == .canceled { throw .cancelled }
        return (bytes, code == 0 ? nil : .reading(error))
    }

    package func seek(to offset: UInt64) -> Bool {
        if isPositioned { ending.withLock { $0 = nil } }
        position.store(offset, ordering: .relaxed)
        return isPositioned
    }

    package func endWaiting() { readiness?.cancel() }

    /// Ends all waiting, except for a system call in progress: `read` and `finish` wait for its end.
    package func cancel() {
        channel.close(flags: .stop)
        endWaiting()
    }

    /// Moves the descriptor of a file past the bytes that were read, as sequential reads would.
    package func finish() {
        channel.close()
        closed.wait()
        if isPositioned { try? descriptor.stand(at: source.start + position.load(ordering: .relaxed)) }
    }
}
