internal import ZstdCodec

/// What a stream of several frames has besides them: the header after the first frame, and the seek table at the end.
struct StreamEnvelope: Envelope {
    private let header: StreamHeader
    private var table: SeekTable
    private var placement: FrameAlignment
    private var frameCount = 0

    /// - Parameter placement: of frames, from the first byte on.
    init(_ header: StreamHeader, hasChecksums: Bool, placement: FrameAlignment) {
        (self.header, self.placement) = (header, placement)
        table = SeekTable(hasChecksums: hasChecksums)
    }

    /// - Parameter mayEndAnywhere: whether the stream has no end of its own.
    init(_ options: CompressionOptions, mayEndAnywhere: Bool = false) {
        let header = StreamHeader(
            frameSize: UInt32(options.frameSize), level: Int32(clamping: options.level), mayEndAnywhere: mayEndAnywhere)
        self.init(
            header, hasChecksums: options.hasChecksum, placement: FrameAlignment(options.alignment))
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
        var bytes = frameCount == 2 ? header.encoded : []
        if !bytes.isEmpty { appendSkippable(bytes.count) }
        // Behind the first frame the header has its place, so that nobody takes that for one of another stream.
        let headerSize = frameCount == 1 ? StreamHeader.encodedSize : 0
        let filling = placement.place(UInt64(frame.compressedSize) + UInt64(headerSize))
        if filling > 0 {
            appendSkippable(filling)
            bytes += FrameAlignment.filling(filling)
        }
        table.append(frame)
        return bytes
    }

    private mutating func appendSkippable(_ size: Int) {
        table.append(
            SeekTable.Entry(
                compressedSize: UInt32(size), decompressedSize: 0, checksum: SeekTable.checksumOfNothing))
    }

    /// Whether another frame, the header, and what fills the room before a frame and the table, would not fit it.
    var isFull: Bool { table.entries.count + 4 > SeekTable.maximumCount }

    /// Bytes that the table takes, and once more when it is written.
    var memory: Int { table.memory }

    /// The bytes that end the stream.
    func trailer() -> [UInt8] {
        if frameCount <= 1 { return [] }
        var last = self
        let encoded = table.encoded
        let filling = last.placement.place(UInt64(encoded.count))
        if filling == 0 { return encoded }
        last.appendSkippable(filling)
        return FrameAlignment.filling(filling) + last.table.encoded
    }
}
