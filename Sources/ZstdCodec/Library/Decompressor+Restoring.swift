extension Decompressor {
    /// Begins between two blocks of a frame, in the state that the blocks before would have left.
    ///
    /// libzstd takes that state only as a frame. This one holds the window twice: matches in the blocks that set the
    /// offsets and the tables need content to refer to, and the content that those blocks make must not come between
    /// the window and the blocks that follow.
    ///
    /// - Parameters:
    ///   - header: the frame's header.
    ///   - content: the content before, as far back as the window reaches.
    ///   - blocks: compressed blocks that set the tables and the repeated offsets.
    ///   - scratch: memory that may be overwritten.
    package mutating func begin(
        within header: FrameHeader, behind content: UnsafeRawBufferPointer, restoring blocks: [UInt8],
        scratch: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) {
        try begin()
        try drop(header.withoutSizes(window: header.windowSize), scratch, offset)
        try drop(content, limit: header.blockLimit, scratch, offset)
        try drop(blocks, scratch, offset)
        try drop(content, limit: header.blockLimit, scratch, offset)
    }

    /// Decodes content as raw blocks.
    private mutating func drop(
        _ content: UnsafeRawBufferPointer, limit: Int, _ scratch: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) {
        var rest = content
        while !rest.isEmpty {
            let block = UnsafeRawBufferPointer(rebasing: rest.prefix(limit))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(block.count))
            // RFC 8878, 3.1.1.2.
            let header = block.count << 3
            try drop([UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)], scratch, offset)
            try drop(block, scratch, offset)
        }
    }

    private mutating func drop(
        _ bytes: [UInt8], _ scratch: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) {
        try bytes.span.bytes.withUnsafeBytes { bytes throws(CodecFailure) in try drop(bytes, scratch, offset) }
    }

    private mutating func drop(
        _ bytes: UnsafeRawBufferPointer, _ scratch: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) {
        var (rest, isDone) = (bytes, false)
        while !isDone { isDone = try stream(&rest, into: scratch, offset: offset).isDone }
    }
}
