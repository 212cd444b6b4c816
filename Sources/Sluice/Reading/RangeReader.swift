internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Reads stretches of a file, wherever they are, through a random channel of Dispatch: nothing between them is read.
///
/// One thread calls `read`, and waits there. One stretch is asked for at a time: a channel serves several in turn, and
/// ends all of them at once.
final class RangeReader: Sendable {
    /// The run's own reader, which keeps the rate, and counts.
    private let reader: ChunkReader
    private let channel: DispatchIO
    private let queue = DispatchQueue(label: "sluice.ranges")
    private let latch: FailureLatch
    private let monitor: Monitor?

    init(_ reader: ChunkReader, latch: FailureLatch, monitor: Monitor?) {
        self.reader = reader
        self.latch = latch
        self.monitor = monitor
        // Where the descriptor stands now, a random channel begins to count.
        lseek(reader.source.descriptor.rawValue, off_t(clamping: reader.source.start), SEEK_SET)
        channel = DispatchIO(type: .random, fileDescriptor: reader.source.descriptor.rawValue, queue: queue) { _ in }
        channel.setLimit(lowWater: .max)
        latch.onFailure { [weak self] in self?.channel.close(flags: .stop) }
    }

    /// Waits for these bytes of the file, which are counted from where its descriptor stood.
    ///
    /// - Throws: `reading`, `sourceShrank` if they are not all there, `cancelled`.
    func read(_ range: Range<UInt64>) throws(Failure) -> Bytes {
        var bytes = Bytes()
        while bytes.count < range.count {
            guard let allowed = reader.waitForRate(range.count - bytes.count, until: nil) else { throw .cancelled }
            let part = try fetch(range.lowerBound + UInt64(bytes.count), allowed)
            if part.isEmpty {
                let end = range.lowerBound + UInt64(bytes.count)
                throw .sourceShrank(expected: reader.source.size ?? end, read: end)
            }
            bytes.append(part)
        }
        return bytes
    }

    /// Closes the channel. The descriptor is given back when the run's own reader is closed, too: channels of one
    /// descriptor end together, and whoever waits here waits for ever.
    func close() { channel.close() }

    private func fetch(_ offset: UInt64, _ count: Int) throws(Failure) -> Bytes {
        try latch.check()
        let start = Span.now()
        let outcome = Mutex((bytes: Bytes(), error: Int32(0)))
        let arrival = DispatchSemaphore(value: 0)
        ChunkReader.allowReads(of: count)
        channel.read(offset: off_t(clamping: offset), length: count, queue: queue) { @Sendable isDone, data, error in
            outcome.withLock { outcome in
                outcome.bytes.append(Bytes(data ?? .empty))
                if error != 0 { outcome.error = error }
            }
            if isDone { arrival.signal() }
        }
        arrival.wait()
        let (bytes, error) = outcome.withLock { $0 }
        if error != 0 { throw error == ECANCELED ? .cancelled : .reading(Errno(rawValue: error)) }
        reader.note(bytes.count)
        monitor?.record(Span(stage: .read, bytes: bytes.count, start: start, end: Span.now()))
        return bytes
    }
}
