/// What the first bytes of a frame say: those in front of its blocks, or of what a skippable frame holds.
enum FrameStart {
    /// Nothing can be told from fewer bytes than these.
    case incomplete(needed: Int)
    case frame(FrameHeader)
    /// `rest` bytes follow those that were parsed; they may be those of a seek table.
    case skippable(StreamHeader? = nil, rest: UInt64, isTable: Bool = false)

    /// - Parameters:
    ///   - bytes: no more than `incomplete` has asked for.
    ///   - offset: where the frame begins in the input.
    ///   - isFirst: whether it is the first one.
    /// - Throws: what is wrong with the frame, or that there is none.
    init(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, isFirst: Bool) throws(CodecFailure) {
        guard bytes.count >= FrameScanner.magicSize else {
            self = .incomplete(needed: FrameScanner.magicSize)
            return
        }
        let magic = bytes.littleEndian(at: 0, as: UInt32.self)
        switch magic {
        case FrameFormat.magic: self = try Self.frame(bytes, at: offset)
        case FrameFormat.skippableMagics: self = try Self.skippable(bytes, magic, at: offset)
        case _ where FrameFormat.legacyMagics.contains(magic): throw .legacyFormat(offset: offset)
        case 0 where !isFirst: throw .trailingZeros(offset: offset)
        default: throw isFirst ? .notZstandard : .trailingBytes(offset: offset)
        }
    }

    private static func frame(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(CodecFailure) -> Self {
        guard bytes.count >= FrameHeader.prefixSize else { return .incomplete(needed: FrameHeader.prefixSize) }
        guard let size = FrameHeader.size(descriptor: bytes[4]) else {
            throw .corrupt(reason: "a reserved bit of the header is set", offset: offset)
        }
        return bytes.count < size ? .incomplete(needed: size) : .frame(FrameHeader(bytes))
    }

    private static func skippable(
        _ bytes: UnsafeRawBufferPointer, _ magic: UInt32, at offset: UInt64
    ) throws(CodecFailure) -> Self {
        let start = FrameFormat.skippableHeaderSize
        guard bytes.count >= start else { return .incomplete(needed: start) }
        let size = bytes.littleEndian(at: 4, as: UInt32.self)
        let (name, isWhole) = (StreamHeader.name, size == StreamHeader.contentSize)
        guard magic == StreamHeader.magic, size > name.count else {
            return .skippable(rest: UInt64(size), isTable: magic == SeekTable.magic)
        }
        let parsed = start + (isWhole ? StreamHeader.contentSize : name.count)
        guard bytes.count >= parsed else { return .incomplete(needed: parsed) }
        let header = StreamHeader(bytes)
        if header == nil, bytes[start..<start + name.count].elementsEqual(name) {
            // Were the size damaged, skipping it would swallow frames, and the content would be shorter without an
            // error.
            let reason = isWhole ? "a stream header of another version" : "the stream header has the wrong size"
            throw .corrupt(reason: reason, offset: offset)
        }
        return .skippable(header, rest: UInt64(start) + UInt64(size) - UInt64(parsed))
    }
}
