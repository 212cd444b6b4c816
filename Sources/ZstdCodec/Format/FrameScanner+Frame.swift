extension FrameScanner {
    /// A frame that was scanned, as a whole or up to now.
    package struct Frame: Equatable, Sendable {
        /// The first byte of the frame in the input.
        package var offset: UInt64
        /// Compressed bytes, header and checksum included.
        package var compressedSize: UInt64 = 0
        /// Nil for a skippable frame, and until the header was scanned.
        package var header: FrameHeader?
        /// Whether the frame carries no content.
        package var isSkippable = false
        /// What the blocks can decompress to at most, in bytes.
        package var blockBound: UInt64 = 0
        /// Bytes by which blocks are longer than what they can decompress to: most of a frame of empty blocks, which
        /// may go on for ever (a file that ends in zeros reads so), and next to nothing of any other.
        package var overhead: UInt64 = 0
        /// What ends the frame, once it has ended, if it has a checksum: the low 32 bits of XXH64 of its content.
        package var checksum: UInt32?
        /// The content of a skippable frame that this project writes: a stream header or a seek table.
        package var annotation: Annotation?

        /// One of which nothing is known but where it begins.
        package init(offset: UInt64) {
            self.offset = offset
        }

        /// What the frame decompresses to at most, in bytes: a claim in the header counts only as far as the blocks
        /// bear it.
        package var decompressedBound: UInt64 { min(header?.contentSize ?? .max, blockBound) }
    }

    /// What a skippable frame says about the stream that it is in.
    package enum Annotation: Equatable, Sendable {
        case streamHeader(StreamHeader)
        case seekTable(SeekTableOutline)
    }
}
