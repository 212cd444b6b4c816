/// Checks, frame by frame, that a stream whose header announces a seek table also has it, whole and true, at its end.
public struct SeekTableAudit: Sendable {
    private var announcement: StreamHeader?
    /// Compressed bytes of each frame since the stream began.
    private var sizes = SizeDigest()
    /// Compressed bytes of the last frame: a stream begins with the one before its header.
    private var last: UInt64?

    /// One that has seen no frame yet.
    public init() {}

    /// Takes note of a frame, in the order of the stream.
    ///
    /// - Throws: `missingSeekTable` if a new stream is announced before the table of the last one came,
    ///   `corrupt` if the table contradicts the frames.
    public mutating func note(_ frame: FrameScanner.Frame) throws(CodecFailure) {
        switch frame.annotation {
        case .streamHeader(let header):
            // The frame before this header already belongs to the new stream.
            try finish(at: frame.offset)
            announcement = header
            sizes = SizeDigest()
            if let last { sizes.append(last) }
        case .seekTable(let table) where announcement != nil:
            guard table.sizes == sizes else {
                throw .corrupt(reason: "the seek table contradicts the frames", offset: frame.offset)
            }
            announcement = nil
            last = nil
            return
        default:
            break
        }
        sizes.append(frame.compressedSize)
        last = frame.compressedSize
    }

    /// States that the stream ends at `offset`.
    ///
    /// - Throws: `missingSeekTable`, unless the stream's header says that it may end without.
    public func finish(at offset: UInt64) throws(CodecFailure) {
        if let announcement, !announcement.mayEndAnywhere { throw .missingSeekTable(offset: offset) }
    }
}
