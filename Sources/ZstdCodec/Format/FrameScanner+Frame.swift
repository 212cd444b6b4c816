extension FrameScanner {
    /// A frame, as far as it was scanned.
    package struct Frame: Equatable, Sendable {
        /// Where the frame begins in the input.
        package var offset: UInt64
        /// Compressed bytes, header and checksum included; 0 until the frame ends.
        package var compressedSize: UInt64 = 0
        /// Nil for a skippable frame, and until the header was scanned.
        package var header: FrameHeader?
        package var isSkippable = false
        /// The most that the blocks can decompress to, in bytes.
        package var blockBound: UInt64 = 0
        /// Bytes by which blocks are longer than what they can decompress to: next to nothing, except in a frame of
        /// empty blocks, which may go on for ever (a file that ends in zeros reads like one).
        package var overhead: UInt64 = 0
        /// Whether the last block has no body.
        var endsEmpty = false
        /// The low 32 bits of XXH64 of the content, when a frame with a checksum has ended.
        package var checksum: UInt32?
        package var annotation: Annotation?

        package init(offset: UInt64) {
            self.offset = offset
        }

        /// Decompressed bytes, as far as the headers say: nil if a frame that is not skippable makes no claim.
        package var contentSize: UInt64? { isSkippable ? 0 : header?.contentSize }

        /// The most that the frame decompresses to, in bytes: the header's claim, as far as the blocks bear it out.
        package var decompressedBound: UInt64 { min(header?.contentSize ?? .max, blockBound) }
    }

    /// What a skippable frame that this project writes says about its stream. It lies apart from the frame, of which most
    /// have none: all of them are copied.
    package indirect enum Annotation: Equatable, Sendable {
        case streamHeader(StreamHeader)
        case seekTable(SeekTableOutline)
    }
}
