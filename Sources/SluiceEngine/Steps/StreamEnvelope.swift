/// The envelope of a stream that ends in a seek table, if it has several frames.
protocol TableEnvelope: Envelope {
    /// Whether there will be a table, as far as frames have come.
    var hasTable: Bool { get }
    /// Whether the last frame has not come as a whole, though its pieces do not say so.
    var isWithinFrame: Bool { get }
    /// The bytes that precede the second frame of the stream, where something is added after the first one.
    mutating func beginTable() -> [UInt8]
    /// Adds a skippable frame that may lie anywhere, after `beginTable` or at the end.
    mutating func append(skippable size: Int)
    /// The skippable frames that follow the last frame, which are then added.
    mutating func lastFrames() throws(Failure) -> [UInt8]
    /// The seek table.
    func encodedTable() -> [UInt8]
}

extension TableEnvelope {
    var isWithinFrame: Bool { false }

    func trailer() throws(Failure) -> [UInt8] {
        var envelope = self
        return try envelope.lastFrames() + envelope.encodedTable()
    }
}

/// The envelope of a stream of several frames: the header after the first frame, and the seek table at the end.
struct StreamEnvelope: TableEnvelope {
    private let header: StreamHeader
    private var table: SeekTable
    private var placement: FrameAlignment
    private var frameCount = 0

    init(_ header: StreamHeader, hasChecksums: Bool, placement: FrameAlignment) {
        (self.header, self.placement) = (header, placement)
        table = SeekTable(hasChecksums: hasChecksums)
    }

    /// - Parameter mayEndAnywhere: whether the stream has no defined end.
    init(_ options: CompressionOptions, mayEndAnywhere: Bool = false) {
        let header = StreamHeader(
            frameSize: UInt32(options.effectiveFrameSize), level: Int32(clamping: options.level),
            mayEndAnywhere: mayEndAnywhere)
        self.init(header, hasChecksums: options.hasChecksum, placement: FrameAlignment(options.alignment))
    }

    /// - Parameter existing: the frames that the file has already.
    init(_ options: CompressionOptions, after existing: SeekTable) {
        self.init(options)
        table = SeekTable(hasChecksums: existing.hasChecksums && options.hasChecksum)
        for entry in existing.entries { table.append(entry) }
        frameCount = existing.entries.count
    }

    /// The header, which announces the seek table, comes with the second frame only.
    var looksCompleteAfterFirst: Bool { frameCount == 0 && !header.mayEndAnywhere }

    mutating func append(_ frame: ChunkResult) throws(Failure) -> [UInt8] {
        // There has to be room for the header, the fillings before a frame and the table, and a batch of parity.
        if table.entries.count + 8 > SeekTable.maximumCount { throw .codec(.tooManyFrames) }
        return append(SeekTable.Entry(frame))
    }

    /// Adds a frame. The header goes before the second one, so that a stream of one frame is nothing but that frame.
    mutating func append(_ frame: SeekTable.Entry) -> [UInt8] {
        frameCount += 1
        var bytes = frameCount == 2 ? header.encoded : []
        if !bytes.isEmpty { table.append(SeekTable.Entry(skippable: bytes.count)) }
        // The first frame always leaves room for the header, so that it isn't mistaken for a frame of another stream.
        let headerSize = frameCount == 1 ? StreamHeader.encodedSize : 0
        let filling = placement.place(UInt64(frame.compressedSize) + UInt64(headerSize))
        if filling > 0 {
            table.append(SeekTable.Entry(skippable: filling))
            bytes += FrameAlignment.filling(filling)
        }
        table.append(frame)
        return bytes
    }

    /// Bytes of memory.
    var memory: Int { table.memory }

    var hasTable: Bool { frameCount > 1 }

    mutating func beginTable() -> [UInt8] {
        frameCount += 1
        guard frameCount == 2 else { return [] }
        // The first frame has left room for it.
        table.append(SeekTable.Entry(skippable: StreamHeader.encodedSize))
        return header.encoded
    }

    mutating func append(skippable size: Int) {
        placement.pass(UInt64(size))
        table.append(SeekTable.Entry(skippable: size))
    }

    func lastFrames() -> [UInt8] { [] }
    func trailer() -> [UInt8] { encodedTable() }

    func encodedTable() -> [UInt8] {
        var (table, placement, header) = (table, placement, [UInt8]())
        if frameCount <= 1 {
            // Whoever follows a live stream waits for its end, also if there is only one frame.
            guard frameCount == 1, self.header.mayEndAnywhere else { return [] }
            header = self.header.encoded
            table.append(SeekTable.Entry(skippable: header.count))
        }
        let encoded = table.encoded
        let filling = placement.place(UInt64(encoded.count))
        if filling == 0 { return header + encoded }
        table.append(SeekTable.Entry(skippable: filling))
        return header + FrameAlignment.filling(filling) + table.encoded
    }
}

extension SeekTable.Entry {
    init(_ frame: ChunkResult) {
        self.init(
            compressedSize: UInt32(frame.bytes.count), decompressedSize: UInt32(frame.sourceSize),
            checksum: frame.checksum)
    }
}
