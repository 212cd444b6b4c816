package import ByteStreams

/// The result of a chunk or of a segment, as bytes of the output.
package struct ChunkResult: Sendable {
    /// The size of the segments in which the result of a streamed frame is written, in bytes.
    package static let segmentSize = 1 << 20
    /// How many of these segments may wait to be written if their number is not known before.
    package static let segmentCount = 4

    package var bytes: Bytes
    /// The runs of zeros in it that become holes of the output.
    package var holes: [Range<Int>] = []
    /// The number of input bytes that it was made from.
    package let sourceSize: Int
    /// When it was handed to the order.
    package var arrival: UInt64 = 0
    /// The last bytes of a compressed frame that ends in a checksum; otherwise 0.
    package var checksum: UInt32
    /// The checksums of its content up to each checkpoint; empty if none are computed.
    package var checkpoints: [UInt32]
    /// Whether more of the same frame follows.
    package var isContinued = false
    /// The slots for its memory. Whatever keeps the bytes also keeps the lease, or keeps a copy.
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
