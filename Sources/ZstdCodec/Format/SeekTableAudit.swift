/// Checks, frame by frame, that a stream whose header announces a seek table also has it, whole and true, at its end.
package struct SeekTableAudit: Sendable {
    private var announcement: StreamHeader?
    private let comparesChecksums: Bool
    /// The frames since the stream began.
    private var frames = FrameNumbers()
    /// The last frame: a stream begins with the one before its header.
    private var last: FrameScanner.Frame?

    /// One that has seen no frame yet.
    ///
    /// - Parameter comparesChecksums: whether the checksums of a table have to be those at the ends of the frames.
    package init(comparesChecksums: Bool = false) { self.comparesChecksums = comparesChecksums }

    /// Takes note of a frame, in the order of the stream.
    ///
    /// - Throws: `missingSeekTable` if a new stream is announced before the table of the last one came,
    ///   `corrupt` if the table contradicts the frames.
    package mutating func note(_ frame: FrameScanner.Frame) throws(CodecFailure) {
        switch frame.annotation {
        case .streamHeader(let header):
            // The frame before this header already belongs to the new stream.
            try end(at: frame.offset)
            announcement = header
            frames = FrameNumbers()
            if let last { frames.append(last) }
        case .seekTable(let table) where announcement != nil:
            guard frames.haveSizes(of: table) else {
                throw .corrupt(reason: "the seek table contradicts the frames", offset: frame.offset)
            }
            guard !comparesChecksums || frames.haveChecksums(of: table) else {
                throw .corrupt(reason: "the seek table has other checksums than the frames", offset: frame.offset)
            }
            announcement = nil
            last = nil
            return
        default:
            break
        }
        frames.append(frame)
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
}

/// The sizes and checksums of frames as they say them, to be compared with those that a table lists.
private struct FrameNumbers {
    private var compressed = NumberDigest()
    private var content = NumberDigest()
    private var checksums = NumberDigest()
    /// Whether each frame with content ends in a checksum.
    private var haveChecksums = true
    /// Whether each frame says how much it holds; what is decoded is then that, or an error.
    private var saysContent = true

    mutating func append(_ frame: FrameScanner.Frame) {
        compressed.append(frame.compressedSize)
        let size = frame.isSkippable ? 0 : frame.header?.contentSize
        content.append(size ?? 0)
        saysContent = saysContent && size != nil
        let checksum = frame.isSkippable ? SeekTable.checksumOfNothing : frame.checksum
        checksums.append(UInt64(checksum ?? 0))
        haveChecksums = haveChecksums && checksum != nil
    }

    func haveSizes(of table: SeekTableOutline) -> Bool {
        table.sizes == compressed && (!saysContent || table.contentSizes == content)
    }

    func haveChecksums(of table: SeekTableOutline) -> Bool {
        !haveChecksums || table.checksums == nil || table.checksums == checksums
    }
}
