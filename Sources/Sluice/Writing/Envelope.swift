internal import ZstdCodec

/// What the output has besides its frames.
protocol Envelope: Sendable {
    /// Takes note of the next frame.
    ///
    /// - Returns: the bytes that go in front of it.
    mutating func append(_ frame: Frame) -> [UInt8]
    /// Whether there is no room for another frame.
    var isFull: Bool { get }
    /// Bytes that it takes.
    var memory: Int { get }
    /// The bytes that end the output.
    ///
    /// - Throws: why the output must not be whole.
    func trailer() throws(Failure) -> [UInt8]
}

extension SeekTable.Entry {
    /// What a table says of a frame.
    init(_ frame: Frame) {
        self.init(
            compressedSize: UInt32(frame.bytes.count), decompressedSize: UInt32(frame.sourceSize),
            checksum: frame.checksum)
    }
}
