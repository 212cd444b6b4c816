/// Checks, frame by frame, that a stream whose header announces a seek table also has it, whole and true, at its end.
public struct SeekTableAudit: Sendable {
    private var isAnnounced = false
    /// Compressed bytes of each frame since the stream began; one Zstandard frame precedes the stream header.
    private var sizes: [UInt64] = []

    public init() {}

    /// Takes note of a frame, in the order of the stream.
    ///
    /// - Throws: `missingSeekTable` if a new stream is announced before the table of the last one came,
    ///   `corrupt` if the table contradicts the frames.
    public mutating func note(_ frame: FrameScanner.Frame) throws(CodecFailure) {
        switch frame.annotation {
        case .streamHeader:
            // The frame before this header already belongs to the new stream.
            guard !isAnnounced else { throw .missingSeekTable(offset: frame.offset) }
            isAnnounced = true
            sizes = sizes.suffix(1)
        case .seekTable(let table) where isAnnounced:
            guard table.entries.map({ UInt64($0.compressedSize) }) == sizes else {
                throw .corrupt(reason: "the seek table contradicts the frames", offset: frame.offset)
            }
            isAnnounced = false
            sizes = []
            return
        default:
            break
        }
        if !isAnnounced { sizes.removeAll(keepingCapacity: true) }
        sizes.append(frame.compressedSize)
    }

    /// States that the stream ends at `offset`.
    public func finish(at offset: UInt64) throws(CodecFailure) {
        if isAnnounced { throw .missingSeekTable(offset: offset) }
    }
}
