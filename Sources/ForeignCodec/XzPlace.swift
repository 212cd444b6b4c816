internal import CLzma

/// A place between the blocks of an xz stream, at which another decoder can continue.
package struct XzPlace: Sendable {
    /// A block, as described by its header and perhaps by the file's index.
    package struct Block: Sendable {
        let sizes: Sizes
        /// The memory that the decoder needs, including the dictionary, in bytes.
        package let memory: UInt64

        /// The compressed size with padding, in bytes.
        package var size: UInt64 { (sizes.unpadded + 3) & ~3 }
        /// The decompressed size in bytes.
        package var contentSize: UInt64 { sizes.content }
    }

    /// The size of a block without padding, and of its content, as in an entry of the index.
    struct Sizes: Equatable, Sendable {
        var unpadded: UInt64
        var content: UInt64
    }

    /// The size of a stream's header, and of its footer, in bytes.
    package static let headerSize = 12
    /// The most blocks of a stream that are remembered, in 2 MiB; the rest is left to one decoder.
    private static let mostBlocks = 1 << 17

    /// The start of the stream in the input, for errors.
    package let start: UInt64
    let header: [UInt8]
    /// The preceding blocks, for the index.
    private(set) var blocks: [Sizes] = []
    /// The sizes that the decoder has to find in the blocks from here on, if it gets only these. The input then ends
    /// between blocks instead of at the end of the stream.
    private(set) var expected: ArraySlice<Sizes> = []

    /// The place after the header of a stream; nil if the header is damaged, or requires something liblzma does not
    /// support.
    package init?(header: [UInt8], at start: UInt64) {
        guard let flags = Self.flags(of: header), lzma_check_is_supported(flags.check) != 0 else { return nil }
        (self.header, self.start) = (header, start)
    }

    private static func flags(of header: [UInt8]) -> lzma_stream_flags? {
        var flags = lzma_stream_flags()
        guard header.count == headerSize, lzma_stream_header_decode(&flags, header) == LZMA_OK else { return nil }
        return flags
    }

    /// The number of preceding blocks in the stream.
    package var count: Int { blocks.count }

    /// Whether this byte begins the index instead of a block.
    package static func isIndex(_ byte: UInt8) -> Bool { byte == 0 }

    /// The size of a block's header in bytes, according to its first byte.
    package static func headerSize(ofBlock byte: UInt8) -> Int { (Int(byte) + 1) * 4 }

    /// The block that begins with this header.
    ///
    /// - Parameters:
    ///   - index: provides the sizes if the header does not; it may be wrong.
    ///   - offset: the start of the block, as counted by the index.
    /// - Returns: nil if the header is damaged, its sizes are not known, or it requires something liblzma does not
    ///   support.
    package func block(_ header: [UInt8], in index: XzFileIndex? = nil, at offset: UInt64 = 0) -> Block? {
        guard blocks.count < Self.mostBlocks, let flags = Self.flags(of: self.header) else { return nil }
        let block = XzBlock(header, check: flags.check)
        guard block.code == LZMA_OK, block.memory < .max else { return nil }
        if let sizes = block.sizes { return Block(sizes: sizes, memory: block.memory) }
        guard let sizes = index?.sizes[offset], block.expect(sizes) else { return nil }
        return Block(sizes: sizes, memory: block.memory)
    }

    /// Moves past a block.
    package mutating func pass(_ block: Block) { blocks.append(block.sizes) }

    /// The place after the first `count` blocks, for a decoder that gets only the other blocks.
    package func forBlocks(after count: Int) -> XzPlace {
        var place = self
        (place.blocks, place.expected) = ([], blocks[count...])
        return place
    }

    /// The size of the index and the footer that must follow, in bytes.
    ///
    /// - Throws: `outOfMemory`.
    package func tailSize() throws(ForeignFailure) -> UInt64 {
        try XzIndexHash(blocks).size + UInt64(Self.headerSize)
    }
}
