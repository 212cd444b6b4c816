internal import CKernel
internal import Dispatch
internal import Synchronization
internal import SystemPackage

/// A channel of Dispatch that one thread reads, a request at a time. The descriptor stays open.
///
/// The low water mark is as high as it goes: the handler is called once for each read, when all of it has come, for
/// each call is a hop between threads. The high water mark needs no limit, for each request has one.
struct DispatchReads: Sendable {
    /// The most that is read at once, in bytes: 1 MiB by default, and as much as was ever asked for up to 64 MiB. It
    /// holds for every channel of the process.
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

    /// Lets a chunk come in one read, which brings it in one region: nothing has to be gathered
    /// (docs/decisions/whole-reads.md).
    static func allow(_ count: Int) {
        largestRead.withLock { largest in
            guard count > largest, largest < 64 << 20 else { return }
            largest = min(count, 64 << 20)
            sluice_set_largest_read(largest)
        }
    }

    /// Waits until the channel has begun with the descriptor, whose place it asks for then.
    func awaitBeginning() {
        let beginning = DispatchSemaphore(value: 0)
        channel.barrier { beginning.signal() }
        beginning.wait()
    }

    /// Reads, and waits until everything has come or the data ends.
    ///
    /// - Parameter offset: bytes from where the descriptor stood. A stream channel reads where it stands, and only has
    ///   the kernel read ahead from here.
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
        // A channel that was stopped says so here, perhaps before anybody else does.
        if error == .canceled { throw .cancelled }
        if code != 0, bytes.isEmpty { throw .reading(error) }
        return bytes
    }

    /// Ends a read that has begun. What the kernel does already is waited for.
    func cancel() { channel.close(flags: .stop) }

    /// Closes the channel, which gives the descriptor back with the flags that it had, and waits for that.
    func finish() {
        channel.close()
        closed.wait()
    }
}
