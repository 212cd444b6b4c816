internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// A Dispatch channel that one thread reads, one request at a time. The descriptor stays open.
///
/// Low water is as high as possible, so that the handler is called once for each read: each call is a hop between
/// threads.
struct DispatchReads: Sendable {
    /// The largest read of every channel of the process, in bytes: 1 MiB at first, and as large as the largest request
    /// up to 64 MiB.
    private static let largestRead = Mutex(1 << 20)

    private let channel: DispatchIO
    private let queue = DispatchQueue(label: "sluice.reader")
    private let closed = DispatchGroup()

    init(_ type: DispatchIO.StreamType, _ descriptor: FileDescriptor) {
        closed.enter()
        channel = DispatchIO(type: type, fileDescriptor: descriptor.rawValue, queue: queue) { [closed] _ in
            closed.leave()
        }
        channel.setLimit(lowWater: .max)
    }

    /// Lets a chunk come in one read and one region, so that nothing has to be gathered
    /// (docs/decisions/whole-reads.md).
    static func allow(_ count: Int) {
        largestRead.withLock { largest in
            guard count > largest, largest < 64 << 20 else { return }
            largest = min(count, 64 << 20)
            setLargestRead(largest)
        }
    }

    /// Waits until the channel has asked for the descriptor's position.
    func awaitBeginning() {
        let beginning = DispatchSemaphore(value: 0)
        channel.barrier { beginning.signal() }
        beginning.wait()
    }

    /// Reads, and waits until everything has come or the data ends.
    ///
    /// - Parameter offset: bytes from where the descriptor stood. A stream channel uses it for the kernel's read-ahead
    ///   only.
    /// - Returns: no bytes at the end of the data.
    /// - Throws: `reading` if nothing came before the error; `cancelled`.
    func read(at offset: UInt64, _ count: Int) throws(Failure) -> Bytes {
        let outcome = Mutex((bytes: Bytes(), error: Int32(0)))
        let arrival = DispatchSemaphore(value: 0)
        channel.read(offset: off_t(clamping: offset), length: count, queue: queue) { @Sendable isDone, data, error in
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

    /// Ends a read that has begun; a system call under way is waited for.
    func cancel() { channel.close(flags: .stop) }

    /// Closes the channel, and waits until the descriptor has its former flags again.
    func finish() {
        channel.close()
        closed.wait()
    }
}
