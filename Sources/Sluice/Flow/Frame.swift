/// The result of a chunk, or of a segment: bytes for the output.
struct Frame: Sendable {
    /// Bytes of the segments in which the result of a streamed frame is written.
    static let segmentSize = 1 << 20
    /// How many of these segments there may be at once.
    static let segmentCount = 4

    var bytes: Bytes
    /// The zeros of it that become holes of the output.
    var holes: [Range<Int>] = []
    /// Bytes of the hole in front of it.
    var hole: UInt64 = 0
    /// Bytes of the input that it was made from.
    let sourceSize: Int
    /// Bytes of it that count as the result: without those of the envelope.
    var madeSize = 0
    /// When it came to the order.
    var arrival: UInt64 = 0
    /// The last bytes of a compressed frame that ends in a checksum, else 0.
    var checksum: UInt32 = 0
    /// The checksums of its content up to each checkpoint; empty if none are made.
    var checkpoints: [UInt32] = []
    /// Whether more of the same frame follows.
    var isContinued = false
    /// Runs once, when the bytes are written, or never will be, and their memory is free: slots go back.
    var whenFree: @Sendable () -> Void = {}
}
