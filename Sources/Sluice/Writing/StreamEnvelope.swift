internal import ZstdCodec

/// What a stream of several frames has besides them: the header after the first frame, and the seek table at the end.
struct StreamEnvelope: Envelope {
    private let header: StreamHeader
    private var table: SeekTable
    private var frameCount = 0

    init(_ header: StreamHeader, hasChecksums: Bool) {
        self.header = header
        table = SeekTable(hasChecksums: hasChecksums)
    }

    /// - Parameter mayEndAnywhere: whether the stream has no end of its own.
    init(_ options: CompressionOptions, mayEndAnywhere: Bool = false) {
        let header = StreamHeader(
            frameSize: UInt32(options.frameSize), level: Int32(clamping: options.level), mayEndAnywhere: mayEndAnywhere)
        self.init(header, hasChecksums: options.hasChecksum)
    }

    /// - Parameters:
    ///   - entries: frames that stand there already.
    ///   - haveChecksums: whether each of them has one.
    init(_ options: CompressionOptions, behind entries: [SeekTable.Entry], haveChecksums: Bool) {
        self.init(options)
        table = SeekTable(hasChecksums: haveChecksums && options.hasChecksum)
        for entry in entries { table.append(entry) }
        frameCount = entries.count
    }

    /// - Returns: the bytes that go in front of the frame: the header goes in front of the second one, so that a stream
    ///   of one frame is nothing but that frame.
    mutating func append(_ frame: Frame) -> [UInt8] { append(SeekTable.Entry(frame)) }

    /// The same, of a frame that was made before.
    mutating func append(_ frame: SeekTable.Entry) -> [UInt8] {
        frameCount += 1
        let bytes = frameCount == 2 ? header.encoded : []
        if !bytes.isEmpty {
            table.append(
                SeekTable.Entry(
                    compressedSize: UInt32(bytes.count), decompressedSize: 0, checksum: SeekTable.checksumOfNothing))
        }
        table.append(frame)
        return bytes
    }

    /// Whether another frame, and the header, would not fit the table.
    var isFull: Bool { table.entries.count + 2 > SeekTable.maximumCount }

    /// Bytes that the table takes, and once more when it is written.
    var memory: Int { table.memory }

    /// The bytes that end the stream.
    func trailer() -> [UInt8] { frameCount > 1 ? table.encoded : [] }
}
