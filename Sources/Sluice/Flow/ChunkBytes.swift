internal import ByteStreams
internal import Synchronization

/// Bytes that are given away once: whoever still knows the parcel does not keep their memory.
///
/// A chunk is held by the loop that took it from the queue until its frame is done; its bytes must go when they are
/// gathered, for that is half of what is in flight.
final class ChunkBytes: Sendable {
    private let bytes: Mutex<Bytes>
    /// Where the bytes lie, if whoever takes them has to read them.
    let range: FileRange?
    /// How many zeros it is, if it is nothing else.
    private let zeros: Int?

    init(_ bytes: Bytes) {
        self.bytes = Mutex(bytes)
        (range, zeros) = (nil, nil)
    }

    init(_ range: FileRange) {
        bytes = Mutex(Bytes())
        (self.range, zeros) = (range, nil)
    }

    init(zeros: Int) {
        bytes = Mutex(Bytes())
        (range, self.zeros) = (nil, zeros)
    }

    /// The bytes: those that were read already the first time only, those of a file after reading them into the buffer.
    func take(with buffer: inout GatherBuffer) throws(Failure) -> ChunkMemory {
        if let zeros { return .zeros(zeros) }
        if let range { return .region(try buffer.read(range)) }
        return bytes.withLock { bytes in
            defer { bytes = Bytes() }
            return .bytes(bytes)
        }
    }
}
