internal import ZstdCodec

/// What a stream of several frames has besides them: the header after the first frame, and the seek table at the end.
struct Envelope: Sendable {
    private let header: StreamHeader
    private var table: SeekTable
    private var frameCount = 0

    /// - Parameter mayEndAnywhere: whether the stream has no end of its own.
    init(_ options: CompressionOptions, mayEndAnywhere: Bool = false) {
        header = StreamHeader(
            frameSize: UInt32(options.frameSize), level: Int32(clamping: options.level), mayEndAnywhere: mayEndAnywhere)
        table = SeekTable(hasChecksums: options.hasChecksum)
    }

    /// Takes note of the next frame.
    ///
    /// - Returns: the bytes that go in front of it: the header goes in front of the second frame, so that a stream of
    ///   one frame is nothing but that frame.
    mutating func append(_ frame: Frame) -> [UInt8] {
        frameCount += 1
        let bytes = frameCount == 2 ? header.encoded : []
        if !bytes.isEmpty {
            table.append(
                SeekTable.Entry(
                    compressedSize: UInt32(bytes.count), decompressedSize: 0, checksum: SeekTable.checksumOfNothing))
        }
        table.append(
            SeekTable.Entry(
                compressedSize: UInt32(frame.bytes.count), decompressedSize: UInt32(frame.sourceSize),
                checksum: frame.checksum))
        return bytes
    }

    /// Whether another frame, and the header, would not fit the table.
    var isFull: Bool { table.entries.count + 2 > SeekTable.maximumCount }

    /// Bytes that the table takes, and once more when it is written.
    var memory: Int { table.memory }

    /// The bytes that end the stream.
    var trailer: [UInt8] { frameCount > 1 ? table.encoded : [] }
}
