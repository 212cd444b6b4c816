package import ByteStreams

/// The result of a chunk, or of a segment: bytes for the output.
package struct Frame: Sendable {
    /// Bytes of the segments in which the result of a streamed frame is written.
    package static let segmentSize = 1 << 20
    /// How many of these segments there may be at once.
    package static let segmentCount = 4

    package var bytes: Bytes
    /// The zeros of it that become holes of the output.
    package var holes: [Range<Int>] = []
    /// Bytes of the hole in front of it.
    package var hole: UInt64 = 0
    /// Bytes of the input that it was made from.
    package let sourceSize: Int
    /// Bytes of it that count as the result: without those of the envelope.
    package var madeSize = 0
    /// When it came to the order.
    package var arrival: UInt64 = 0
    /// The last bytes of a compressed frame that ends in a checksum, else 0.
    package var checksum: UInt32
    /// The checksums of its content up to each checkpoint; empty if none are made.
    package var checkpoints: [UInt32]
    /// Whether more of the same frame follows.
    package var isContinued = false
    /// The slots that bound its memory. What keeps the bytes keeps it too.
    package var lease: Lease?

    package init(
        bytes: Bytes, sourceSize: Int, checksum: UInt32 = 0, checkpoints: [UInt32] = [],
        lease: Lease? = nil
    ) {
        self.bytes = bytes
        self.sourceSize = sourceSize
        self.checksum = checksum
        self.checkpoints = checkpoints
        self.lease = lease
    }
}

/// The bytes of the output around its frames.
package protocol Envelope: Sendable {
    /// Whether an output that ends after its first frame looks complete, though another frame was to follow.
    var looksCompleteAfterFirst: Bool { get }
    /// Adds the next frame.
    ///
    /// - Returns: the bytes that go in front of it.
    /// - Throws: why there is no room for it.
    mutating func append(_ frame: Frame) throws(Failure) -> [UInt8]
    /// The bytes that end the output.
    ///
    /// - Throws: why the output must not be completed.
    func trailer() throws(Failure) -> [UInt8]
}

extension Envelope {
    package var looksCompleteAfterFirst: Bool { false }
}
