internal import Synchronization

/// Bytes that are given away once: whoever still knows the parcel does not keep their memory.
///
/// A chunk is held by the loop that took it from the queue until its frame is done; its bytes must go when they are
/// gathered, for that is half of what is in flight.
final class Parcel: Sendable {
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
    func take(with buffer: inout GatherBuffer) throws(Failure) -> Load {
        if let zeros { return .zeros(zeros) }
        if let range { return .region(try buffer.read(range)) }
        return bytes.withLock { bytes in
            defer { bytes = Bytes() }
            return .bytes(bytes)
        }
    }
}

/// The bytes of a whole chunk, as a transform takes them.
enum Load {
    /// To be kept or let go at will.
    case bytes(Bytes)
    /// In memory that is somebody else's, for as long as the call.
    case region(UnsafeRawBufferPointer)
    /// So many zeros, which nobody has read.
    case zeros(Int)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .region(let region): region.count
        case .zeros(let count): count
        }
    }
}

/// A piece of the input, with its place in the order of the output.
struct Chunk: Sendable {
    enum Content: Sendable {
        /// All the bytes of the chunk.
        /// - `bound`: what they become at most, in bytes.
        /// - `offset`: where they begin in the input.
        /// - `slots`: how many the chunk holds.
        case whole(Parcel, bound: Int, offset: UInt64, slots: Int)
        /// The bytes come part by part: one frame that is too large, or comes too slowly, to be held as a whole.
        case parts(PartQueue, offset: UInt64)
    }

    let index: Int
    let content: Content
}
