/// Checks, frame by frame, that a stream whose header announces a seek table ends in one, whole and true.
package struct SeekTableAudit: Sendable {
    private var announcement: StreamHeader?
    private let comparesChecksums: Bool
    /// The sizes and checksums of the frames since the stream began.
    private var frames = SeekTableDigest(hasChecksums: true)
    /// Whether each of these frames with content ends in a checksum.
    private var haveChecksums = true
    /// Whether each of these frames says how much it holds; decoding then gives exactly that, or an error.
    private var saysContent = true
    /// The last frame: a stream begins with the one before its header.
    private var last: FrameScanner.Frame?

    /// - Parameter comparesChecksums: whether the checksums of a table must match those at the ends of the frames.
    package init(comparesChecksums: Bool = false) { self.comparesChecksums = comparesChecksums }

    /// Notes a frame, in the order of the stream.
    ///
    /// - Throws: `missingSeekTable` if a new stream is announced before the table of the last one came,
    ///   `corrupt` if the table contradicts the frames.
    package mutating func note(_ frame: FrameScanner.Frame) throws(CodecFailure) {
        switch frame.annotation {
        case .streamHeader(let header):
            // The frame before this header already belongs to the new stream.
            try end(at: frame.offset)
            announcement = header
            (frames, haveChecksums, saysContent) = (SeekTableDigest(hasChecksums: true), true, true)
            if let last { append(last) }
        case .seekTable(let table) where announcement != nil:
            let frames = frames.outline
            guard table.sizes == frames.sizes, !saysContent || table.contentSizes == frames.contentSizes else {
                throw .corrupt(reason: "the seek table contradicts the frames", offset: frame.offset)
            }
            if comparesChecksums, haveChecksums, let checksums = table.checksums, checksums != frames.checksums {
                throw .corrupt(reason: "the seek table's checksums are not those of the frames", offset: frame.offset)
            }
            announcement = nil
            last = nil
            return
        default:
            break
        }
        append(frame)
        last = frame
    }

    /// States that the stream ends at `offset`.
    ///
    /// - Throws: `missingSeekTable`, unless the stream's header says that it may end without; `damagedSeekTable` if
    ///   what stands in its place can't be read.
    package func finish(at offset: UInt64) throws(CodecFailure) {
        if announcement != nil, let last, last.isSkippable, last.annotation == nil {
            throw .damagedSeekTable(offset: last.offset)
        }
        try end(at: offset)
    }

    private func end(at offset: UInt64) throws(CodecFailure) {
        if let announcement, !announcement.mayEndAnywhere { throw .missingSeekTable(offset: offset) }
    }

    private mutating func append(_ frame: FrameScanner.Frame) {
        let checksum = frame.isSkippable ? SeekTable.checksumOfNothing : frame.checksum
        frames.append(frame.compressedSize, contentSize: frame.contentSize ?? 0, checksum: checksum ?? 0)
        saysContent = saysContent && frame.contentSize != nil
        haveChecksums = haveChecksums && checksum != nil
    }
}
