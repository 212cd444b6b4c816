/// Checks, frame by frame, that a stream whose header announces a seek table ends in a complete and correct one.
package struct StreamEndCheck: Sendable {
    private var announcement: StreamHeader?
    private let comparesChecksums: Bool
    /// The sizes and checksums of the frames since the stream began.
    private var frames = SeekTableDigest(hasChecksums: true)
    /// Whether all of these frames that have content end in a checksum.
    private var haveChecksums = true
    /// Whether all of these frames give their content size; decoding then produces exactly that size, or fails.
    private var saysContent = true
    /// Whether the first frame may lie within a stream, so that a header announces a table of more frames.
    private let mayBeginWithin: Bool
    /// The last frame. A stream begins with the frame before its header.
    private var last: FrameScanner.Frame?

    /// - Parameters:
    ///   - comparesChecksums: whether a table's checksums must match those at the ends of the frames.
    ///   - mayBeginWithin: whether the first frame may lie within a stream: nothing is known of its table then.
    package init(comparesChecksums: Bool = false, mayBeginWithin: Bool = false) {
        (self.comparesChecksums, self.mayBeginWithin) = (comparesChecksums, mayBeginWithin)
    }

    /// Whether a header has announced a table that has not come yet.
    package var awaitsTable: Bool { announcement != nil }
    /// Whether the stream can't be whole without that table.
    package var needsTable: Bool { announcement?.mayEndAnywhere == false }

    /// Adds a frame, in the order of the stream.
    ///
    /// - Throws: `missingSeekTable` if a new stream is announced before the table of the last one has come, `corrupt`
    ///   if the table contradicts the frames.
    package mutating func note(_ frame: FrameScanner.Frame) throws(CodecFailure) {
        switch frame.annotation {
        case .streamHeader where mayBeginWithin && last == nil: break
        case .streamHeader(let header):
            // The frame before this header already belongs to the new stream.
            try end(at: frame.offset)
            announcement = header
            (frames, haveChecksums, saysContent) = (SeekTableDigest(hasChecksums: true), true, true)
            if let last { append(last) }
        case .seekTable(let table) where announcement != nil:
            let frames = frames.outline
            guard table.sizes == frames.sizes, !saysContent || table.contentSizes == frames.contentSizes else {
                throw .contradictedTable(at: frame.offset)
            }
            if comparesChecksums, haveChecksums, let checksums = table.checksums, checksums != frames.checksums {
                throw .contradictedChecksums(at: frame.offset)
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

    /// Ends the audit at `offset`, the end of the stream.
    ///
    /// - Throws: `missingSeekTable`, unless the stream's header allows it to end without one; `damagedSeekTable` if the
    ///   last frame is skippable but is not a valid table.
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
