/// The bytes of the output around its frames.
protocol Envelope: Sendable {
    /// Adds the next frame.
    ///
    /// - Returns: the bytes that go in front of it.
    mutating func append(_ frame: Frame) -> [UInt8]
    /// Whether there is no room for another frame.
    var isFull: Bool { get }
    /// The bytes that end the output.
    ///
    /// - Throws: why the output must not be completed.
    func trailer() throws(Failure) -> [UInt8]
}

extension SeekTable.Entry {
    init(_ frame: Frame) {
        self.init(
            compressedSize: UInt32(frame.bytes.count), decompressedSize: UInt32(frame.sourceSize),
            checksum: frame.checksum)
    }
}
