internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Reads a descriptor through a channel of Dispatch. The descriptor stays open.
///
/// A file with a size has a random channel, which has a position of its own; pipes, sockets, terminals, devices, and
/// files without a size, such as those of the kernel, have a stream channel. One request is made at a time: a random
/// channel serves several in turn, and ends all of them at once.
final class ChannelSource: ByteSource {
    /// The largest read of every channel of the process, in bytes: 1 MiB at first, and as large as the largest request
    /// for a file up to 64 MiB.
    private static let largestRead = Mutex(1 << 20)
    /// The largest request for what is no file with a size, in bytes.
    private static let largestRequest = 1 << 20

    private let source: Source
    /// Bytes of a file that were read or skipped.
    private let position = Atomic<UInt64>(0)
    /// Whether a file is read at `position`; otherwise at the position of the descriptor.
    private let isPlaced: Bool
    /// Nil for a file, whose reads never wait for data.
    private let readiness: Readiness?
    private let channel: DispatchIO
    private let queue = DispatchQueue(label: "sluice.reader")
    private let closed = DispatchGroup()

    /// - Throws: `reading` if a file can't be positioned, or there are no descriptors left.
    init(_ source: Source) throws(Failure) {
        self.source = source
        // A random channel counts from where the descriptor stands (trap 19 in docs/dispatch-on-linux.md).
        isPlaced = source.size != nil
        if isPlaced { try Failure.reading(source.descriptor.stand(at: source.start)) }
        readiness = source.isFile ? nil : try Readiness(of: source.descriptor)
        closed.enter()
        channel = DispatchIO(
            type: isPlaced ? .random : .stream, fileDescriptor: source.descriptor.rawValue, queue: queue
        ) { [closed] _ in closed.leave() }
        // The handler is called once for each read: each call is a hop between threads.
        channel.setLimit(lowWater: .max)
        // The search for holes moves the descriptor.
        if isPlaced, source.identity.hasHoles { awaitBeginning() }
    }

    /// Waits until the channel has asked for the descriptor's position.
    private func awaitBeginning() {
        let beginning = DispatchSemaphore(value: 0)
        channel.barrier { beginning.signal() }
        beginning.wait()
    }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        if isPlaced { Self.allow(count) }
        var wanted = isPlaced ? count : min(count, Self.largestRequest)
        if let readiness {
            // Only what is there already may be asked for (trap 12 in docs/dispatch-on-linux.md).
            guard let ready = try readiness.wait(for: count, until: deadline) else { return Bytes() }
            wanted = min(wanted, ready)
        }
        let bytes = try request(wanted)
        position.add(UInt64(bytes.count), ordering: .relaxed)
        return bytes.isEmpty ? nil : bytes
    }

    /// Lets a chunk come in one read and one region, so that nothing has to be gathered
    /// (docs/decisions/reading.md).
    private static func allow(_ count: Int) {
        largestRead.withLock { largest in
            guard count > largest, largest < 64 << 20 else { return }
            largest = min(count, 64 << 20)
            setLargestRead(largest)
        }
    }

    /// Reads, and waits until everything has come or the data ends.
    ///
    /// - Returns: no bytes at the end of the data.
    /// - Throws: `reading` if nothing came before the error; `cancelled`.
    private func request(_ count: Int) throws(Failure) -> Bytes {
        let outcome = Mutex((bytes: Bytes(), error: Int32(0)))
        let arrival = DispatchSemaphore(value: 0)
        // A stream channel would use the offset for the kernel's read-ahead only.
        let offset = isPlaced ? off_t(clamping: position.load(ordering: .relaxed)) : 0
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
        if code != 0, bytes.isEmpty { throw .reading(error) }
        return bytes
    }

    package func seek(to offset: UInt64) -> Bool {
        position.store(offset, ordering: .relaxed)
        return isPlaced
    }

    package func endWaiting() { readiness?.cancel() }

    /// A system call under way is waited for.
    package func cancel() {
        channel.close(flags: .stop)
        endWaiting()
    }

    /// Moves the descriptor of a file past the bytes that were read, as a read in order would.
    package func finish() {
        channel.close()
        closed.wait()
        if isPlaced { try? source.descriptor.stand(at: source.start + position.load(ordering: .relaxed)) }
    }
}
