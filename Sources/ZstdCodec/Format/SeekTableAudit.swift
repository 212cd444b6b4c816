/// Checks, frame by frame, that a stream whose header announces a seek table also has it, whole and true, at its end.
package struct SeekTableAudit: Sendable {
    private var announcement: StreamHeader?
    /// The frames since the stream began.
    private var sizes = FrameSizes()
    /// The last frame: a stream begins with the one before its header.
    private var last: FrameScanner.Frame?

    /// One that has seen no frame yet.
    package init() {}

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
            sizes = FrameSizes()
            if let last { sizes.append(last) }
        case .seekTable(let table) where announcement != nil:
            guard sizes.agree(with: table) else {
                throw .corrupt(reason: "the seek table contradicts the frames", offset: frame.offset)
            }
            announcement = nil
            last = nil
            return
        default:
            break
        }
        sizes.append(frame)
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

/// The sizes of frames as they say them, to be compared with those that a table lists.
private struct FrameSizes {
    private var compressed = NumberDigest()
    private var content = NumberDigest()
    /// Whether each frame says how much it holds; what is decoded is then that, or an error.
    private var saysContent = true

    mutating func append(_ frame: FrameScanner.Frame) {
        compressed.append(frame.compressedSize)
        let size = frame.isSkippable ? 0 : frame.header?.contentSize
        content.append(size ?? 0)
        saysContent = saysContent && size != nil
    }

    func agree(with table: SeekTableOutline) -> Bool {
        table.sizes == compressed && (!saysContent || table.contentSizes == content)
    }
}
